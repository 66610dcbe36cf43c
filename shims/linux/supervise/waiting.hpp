// SPDX-License-Identifier: BSL-1.0
/// One descriptor that is readable when one of many is ready, or at a given time.
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

  /// Throws: `refused`.
  waiting();
  [[nodiscard]] int descriptor() const { return all_.get(); }
  /// Replaces the awaited descriptors and the time, CLOCK_MONOTONIC in nanoseconds. Ignores closed descriptors (-1). A
  /// file that never blocks is ready at once.
  void expect(std::span<const pollfd> wanted, std::uint64_t moment);
  /// Blocks until the descriptor is readable.
  void wait() const;

private:
  using owned = linux_shim::descriptor;
  owned all_, timer_, ready_;
  owned some_; ///< in `all_`; made anew with every change, so that no closed or duplicated descriptor remains in it
  std::vector<pollfd> wanted_;
  std::uint64_t moment_ = never;
};

/// CLOCK_MONOTONIC in nanoseconds.
[[nodiscard]] std::uint64_t now();

} // namespace cordon::linux_shim
