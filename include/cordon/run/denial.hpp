// SPDX-License-Identifier: BSL-1.0
/// An operation that was refused, as far as cordon observed it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace cordon {

/// One kind of refused operation.
struct denial {
  /// The observer.
  enum class source : std::uint8_t {
    seccomp,  ///< the filter's supervisor: exactly the calls that it refused
    inferred, ///< from a line on stderr; no proof: programs may print anything, and the host refuses operations too
  };
  source seen{};           ///< who observed it
  std::string what;        ///< name of the system call, or the line
  std::uint64_t times = 1; ///< how often
};

/// Returns: the name of the observer, as in reports.
[[nodiscard]] constexpr std::string_view name(denial::source s) {
  return s == denial::source::seccomp ? "seccomp" : "inferred";
}

} // namespace cordon
