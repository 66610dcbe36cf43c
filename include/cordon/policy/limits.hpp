// SPDX-License-Identifier: BSL-1.0
/// Limits: how much of a resource a run may use. The meet is the minimum. The smallest value is 1, so that 0 never
/// means "no limit" and the least policy can be written down.
#pragma once

#include "../detail/stop.hpp"

#include <array>
#include <cstdint>
#include <string_view>

namespace cordon {

enum class limit : std::uint8_t {
  timeout,    ///< wall clock, nanoseconds
  cpu,        ///< processor time, nanoseconds
  memory,     ///< bytes
  processes,  ///< processes and threads at one time
  open_files, ///< file descriptors of one process
  file_size,  ///< bytes of one file
  output,     ///< bytes written to stdout and stderr together
};

inline constexpr std::array<std::string_view, 7> limit_names{"timeout",    "cpu",       "memory", "processes",
                                                             "open_files", "file_size", "output"};

[[nodiscard]] constexpr std::string_view name(limit l) { return limit_names[static_cast<std::size_t>(l)]; }

/// Whether a limit is written as a duration or as a count; the others are sizes.
[[nodiscard]] constexpr bool is_duration(limit l) { return l == limit::timeout || l == limit::cpu; }
[[nodiscard]] constexpr bool is_count(limit l) { return l == limit::processes || l == limit::open_files; }

class limits {
public:
  static constexpr std::uint64_t unlimited = ~std::uint64_t{0};
  static constexpr std::uint64_t greatest = ~std::uint64_t{0} >> 1; ///< the largest value that can be written

  constexpr limits() {
    for (auto& v : values_) v = unlimited;
  }
  /// The least limits: one unit of each resource.
  [[nodiscard]] static constexpr limits least() {
    limits l;
    for (auto& v : l.values_) v = 1;
    return l;
  }

  [[nodiscard]] constexpr std::uint64_t operator[](limit l) const { return values_[static_cast<std::size_t>(l)]; }
  [[nodiscard]] constexpr bool has(limit l) const { return (*this)[l] != unlimited; }
  /// Stops the process (or the build) if the value is 0.
  constexpr limits& set(limit l, std::uint64_t value) {
    if (value == 0) detail::a_limit_must_not_be_zero();
    values_[static_cast<std::size_t>(l)] = value;
    return *this;
  }

  friend constexpr limits operator&(const limits& a, const limits& b) {
    limits m;
    for (std::size_t i = 0; i < limit_names.size(); ++i)
      m.values_[i] = a.values_[i] < b.values_[i] ? a.values_[i] : b.values_[i];
    return m;
  }
  friend constexpr bool operator<=(const limits& a, const limits& b) { return (a & b) == a; }
  friend constexpr bool operator==(const limits& a, const limits& b) {
    for (std::size_t i = 0; i < limit_names.size(); ++i)
      if (a.values_[i] != b.values_[i]) return false;
    return true;
  }

private:
  std::uint64_t values_[limit_names.size()]{};
};

} // namespace cordon
