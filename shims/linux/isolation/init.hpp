// SPDX-License-Identifier: BSL-1.0
/// The init process of a program's namespaces, once it is in their view. It starts the program as its child. Then it
/// executes the reaper, which reaps, relays signals and ends last.
#pragma once

#include "../child/child.hpp"
#include "../child/spare_stack.hpp"
#include "host_path.hpp"
#include "isolation.hpp"

namespace cordon::linux_shim {

/// Has the same lifetime as the program's setup.
struct init_setup {
  child_setup& program;
  const spare_stack& stack; ///< for the program's process, while the init process is suspended
  const isolation& own;
  const host_path &program_place, &directory_place;
};

/// Stages, in order. Each returns 0 or errno.

int renew_keyring(init_setup&) noexcept;
/// Checks that the root is a view's root, where set-id programs and devices have no effect. Returns: EXDEV otherwise.
int check_root(init_setup&) noexcept;
/// Opens the program and the working directory in the view. Returns: ESTALE if another inode has their path.
int find_places(init_setup&) noexcept;
/// Makes the Landlock ruleset inside the view: a process outside cannot open all of its files.
int write_rules(init_setup&) noexcept;
/// Makes the program's terminal in the view, and leads its session.
int take_terminal(init_setup&) noexcept;
/// Starts the program, which must become process 2.
int start_program(init_setup&) noexcept;
/// Executes the reaper. Returns only on error.
int become_init(init_setup&) noexcept;

} // namespace cordon::linux_shim
