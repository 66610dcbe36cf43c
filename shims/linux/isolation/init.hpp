// SPDX-License-Identifier: BSL-1.0
/// The first process of a program's namespaces, once it stands in their view: it starts the program beside itself, and
/// becomes a small one that reaps, relays and ends last.
#pragma once

#include "../child/child.hpp"
#include "../child/spare_stack.hpp"
#include "host_directory.hpp"
#include "isolation.hpp"

namespace cordon::linux_shim {

/// Lives where the program's errand does.
struct undertaking {
  errand& program;
  const spare_stack& stack; ///< for the program's process, while this one stands still
  const isolation& own;
  const outside &program_place, &directory_place;
};

/// Steps, in the order in which they are taken. 0 or errno.

int renew_keyring(undertaking&) noexcept;
/// The root is one of the view's, from which nothing gains rights; else EXDEV.
int check_root(undertaking&) noexcept;
/// The program and the directory, ESTALE where something else has their place.
int find_places(undertaking&) noexcept;
/// Landlock's, in the view, for it has places that nobody outside can open.
int write_rules(undertaking&) noexcept;
/// The program runs as process 2, or nothing does.
int start_second(undertaking&) noexcept;
/// Does not return unless it fails.
int become_first(undertaking&) noexcept;

} // namespace cordon::linux_shim
