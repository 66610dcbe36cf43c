// SPDX-License-Identifier: BSL-1.0
/// The first process of a program's namespaces, once it stands in their view: it starts the program beside itself, and
/// becomes a small one that reaps, relays and ends last.
#pragma once

#include "../child/child.hpp"
#include "../child/spare_stack.hpp"
#include "host_path.hpp"
#include "isolation.hpp"

namespace cordon::linux_shim {

/// Lives where the program's setup does.
struct init_setup {
  child_setup& program;
  const spare_stack& stack; ///< for the program's process, while this one stands still
  const isolation& own;
  const host_path &program_place, &directory_place;
};

/// Steps, in the order in which they are taken. 0 or errno.

int renew_keyring(init_setup&) noexcept;
/// The root is one of the view's, from which nothing gains rights; else EXDEV.
int check_root(init_setup&) noexcept;
/// The program and the directory, ESTALE where something else has their place.
int find_places(init_setup&) noexcept;
/// Landlock's, in the view, for it has places that nobody outside can open.
int write_rules(init_setup&) noexcept;
/// The program runs as process 2, or nothing does.
int start_program(init_setup&) noexcept;
/// Does not return unless it fails.
int become_init(init_setup&) noexcept;

} // namespace cordon::linux_shim
