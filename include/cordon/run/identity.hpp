// SPDX-License-Identifier: BSL-1.0
/// The identity of a run. It distinguishes the run, and so its report, from every other.
#pragma once

#include "../platform.hpp"

#include <cstdint>
#include <string>

namespace cordon {

/// Which run it was.
struct run_identity {
  std::string run;                ///< 32 hexadecimal digits, random
  std::string host;               ///< the machine's host name; empty if the system does not provide it
  std::uint64_t started = 0;      ///< nanoseconds since 1970 in UTC, when cordon received the request
  platform on = platform::linux_; ///< the system
};

inline namespace abi_0 {

/// Creates the identity of a run that starts now.
[[nodiscard]] run_identity new_identity();

/// Formats nanoseconds since 1970 in UTC by RFC 3339, to the millisecond: 2026-01-31T12:00:00.000Z.
[[nodiscard]] std::string utc_text(std::uint64_t nanoseconds);

} // namespace abi_0

} // namespace cordon
