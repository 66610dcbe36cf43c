// SPDX-License-Identifier: BSL-1.0
/// One descriptor that is readable when one of many is ready, or a moment has come.
#pragma once

#include "../child/descriptor.hpp"

#include <poll.h>

#include <cstdint>
#include <span>
#include <vector>

namespace cordon::linux_shim {

class waiting {
public:
  static constexpr std::uint64_t never = ~std::uint64_t{0};

  /// Throws `refused`.
  waiting();
  [[nodiscard]] int descriptor() const { return all_.get(); }
  /// From now on these, and a moment of CLOCK_MONOTONIC in nanoseconds. What is not open (-1) is left out; a file that
  /// never makes anybody wait is ready at once.
  void expect(std::span<const pollfd> wanted, std::uint64_t moment);
  /// Until it is readable.
  void wait() const;

private:
  using owned = linux_shim::descriptor;
  owned all_, timer_, ready_;
  owned some_; ///< of `all_`: made anew with every change, so that nothing closed or duplicated stays in it
  std::vector<pollfd> wanted_;
  std::uint64_t moment_ = never;
};

/// CLOCK_MONOTONIC in nanoseconds.
[[nodiscard]] std::uint64_t now();

} // namespace cordon::linux_shim
