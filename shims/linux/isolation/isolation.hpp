// SPDX-License-Identifier: BSL-1.0
/// Namespaces of a program's own: what its first process makes before there is a program.
#pragma once

#include "../child/landlock_calls.hpp"
#include "view_step.hpp"

#include <cordon/linux/launch.hpp>

#include <cstdint>
#include <span>

namespace cordon::linux_shim {

/// A Landlock rule for a place of the view. Part of it is new in each, so that only the child can open it.
struct own_rule {
  const char* place = "";
  std::uint64_t access = 0; ///< LANDLOCK_ACCESS_FS_* that such an inode may carry
};

/// How bwrap comes to make the namespaces and the view.
struct wrapper {
  int program = -1;              ///< bwrap
  int arguments = -1;            ///< a file with its arguments, NUL behind each
  int init_program = -1;         ///< a sealed executable: what it starts, see init_wrapped.cpp
  std::span<const int> places{}; ///< descriptors that the arguments name
};

/// Plain memory for the child. All of it belongs to somebody else, may be used for any number of launches at once, and
/// must outlive each.
struct isolation {
  bool network = true;   ///< a network of its own
  bool loopback = false; ///< in which programs reach one another
  bool keyring = false;  ///< a session keyring of its own, where a filter lets anybody use one
  std::span<const view_step> view{};
  landlock_calls::ruleset ruleset{};
  std::size_t ruleset_size = 0; ///< as much of it as the kernel knows; 0: no Landlock
  std::span<const own_rule> rules{};
  const char* user_map = ""; ///< one line for /proc/self/uid_map, as user_namespaces(7) has it
  const char* group_map = "";
  int reaper = -1;   ///< the program that the first process becomes, see `reaper_program`
  int lifeline = -1; ///< see `lifeline`
  /// Somebody else makes the namespaces, the network, the ids and the view; null: the first process does.
  const wrapper* by = nullptr;
};

} // namespace cordon::linux_shim
