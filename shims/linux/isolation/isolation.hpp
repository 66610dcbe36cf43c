// SPDX-License-Identifier: BSL-1.0
/// The namespaces of a program: what its init process sets up before it starts the program.
#pragma once

#include "../child/landlock_calls.hpp"
#include "view_step.hpp"

#include <cordon/linux/launch.hpp>

#include <cstdint>
#include <span>

namespace cordon::linux_shim {

/// A Landlock rule for a path of the view. Parts of the view are new in each run, so only the child can open them.
struct own_rule {
  const char* place = "";
  std::uint64_t access = 0; ///< LANDLOCK_ACCESS_FS_* that are valid for the inode
};

/// The parameters of a launch by bwrap.
struct wrapper {
  int program = -1;              ///< bwrap
  int arguments = -1;            ///< a file with its arguments, each ended by NUL
  int init_program = -1;         ///< the sealed executable that bwrap starts, see init_wrapped.cpp
  std::span<const int> places{}; ///< descriptors that the arguments refer to
};

/// Plain memory for the child. It owns nothing, any number of launches may use it at once, and it must outlive each.
struct isolation {
  bool network = true;   ///< a private network namespace
  bool loopback = false; ///< with a loopback device, by which its programs reach one another
  bool keyring = false;  ///< a private session keyring, if a filter allows keyring calls
  std::span<const view_step> view{};
  landlock_calls::ruleset ruleset{};
  std::size_t ruleset_size = 0; ///< bytes of it that the kernel knows; 0: no Landlock
  std::span<const own_rule> rules{};
  const char* user_map = ""; ///< one line for /proc/self/uid_map, see user_namespaces(7)
  const char* group_map = "";
  int reaper = -1;   ///< the program that the init process executes, see `reaper_program`
  int lifeline = -1; ///< see `lifeline`
  /// bwrap makes the namespaces, the network, the ids and the view; null: the init process does.
  const wrapper* by = nullptr;
};

} // namespace cordon::linux_shim
