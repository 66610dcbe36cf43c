// SPDX-License-Identifier: BSL-1.0
/// Landlock's system calls. Debian 12's C library has no wrappers, and its kernel headers stop at ABI 2. Layouts and
/// numbers are from include/uapi/linux/landlock.h and include/uapi/asm-generic/unistd.h (the same on every machine).
#pragma once

#include <cstdint>

namespace cordon::linux_shim::landlock_calls {

inline constexpr long create_ruleset = 444, add_rule = 445;

/// Of the size that `landlock::ruleset_size` returns for an ABI.
struct ruleset {
  std::uint64_t handled_access_fs = 0;
  std::uint64_t handled_access_net = 0;
  std::uint64_t scoped = 0;
};

inline constexpr int rule_path_beneath = 1;
struct [[gnu::packed]] path_beneath {
  std::uint64_t allowed_access;
  std::int32_t parent_fd;
};

} // namespace cordon::linux_shim::landlock_calls
