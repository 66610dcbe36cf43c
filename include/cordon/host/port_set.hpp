// SPDX-License-Identifier: BSL-1.0
/// A growing set of ports, with its ranges stored inside the value.
#pragma once

#include "ports.hpp"

#include <initializer_list>

namespace cordon::host {

/// At most `most` ranges: more than any program uses, and few enough for the stack.
class port_set {
public:
  static constexpr std::size_t most = 1024; ///< ranges at most

  // Only the first size_ ranges are read. Clearing 4 KiB for each place would take most of the time of a meet.
  constexpr port_set() {} // NOLINT(cppcoreguidelines-pro-type-member-init,modernize-use-equals-default)
  /// From ranges in any order; overlapping ones are merged.
  constexpr port_set(std::initializer_list<port_range> ranges) { // NOLINT(cppcoreguidelines-pro-type-member-init)
    for (const port_range r : ranges) add(r);
  }
  port_set(const port_set&) = delete;
  port_set& operator=(const port_set&) = delete;

  /// The ranges; valid as long as this set.
  [[nodiscard]] constexpr ports view() const { return ports(std::string_view(bytes_, 4 * size_)); }
  /// True if a range did not fit, until the set is cleared.
  [[nodiscard]] constexpr bool is_full() const { return full_; }
  /// Removes all ranges.
  constexpr void clear() {
    size_ = 0;
    full_ = false;
  }

  /// Adds a range that starts no earlier than the last one. O(1).
  constexpr void append(port_range r) {
    if (size_ != 0) {
      const port_range last = view()[size_ - 1];
      if (r.first <= last.last + 1U) {
        if (r.last > last.last) put(size_ - 1, {last.first, r.last});
        return;
      }
    }
    if (size_ == most) {
      full_ = true;
      return;
    }
    put(size_++, r);
  }

  /// Adds any range. O(ranges).
  constexpr void add(port_range r) {
    std::size_t from = 0;
    while (from < size_ && view()[from].last + 1U < r.first) ++from;
    std::size_t to = from;
    for (; to < size_ && view()[to].first <= r.last + 1U; ++to) {
      const port_range old = view()[to];
      if (old.first < r.first) r.first = old.first;
      if (old.last > r.last) r.last = old.last;
    }
    if (from == to && size_ == most) {
      full_ = true;
      return;
    }
    if (from == to)
      for (std::size_t i = size_++; i > from; --i) put(i, view()[i - 1]);
    else {
      for (std::size_t i = to; i < size_; ++i) put(from + 1 + i - to, view()[i]);
      size_ -= to - from - 1;
    }
    put(from, r);
  }

  /// Assigns the ports of the runs for which `wanted(in)` is true; see `each_run`. `sets` must not refer to this set.
  template <std::size_t N, class Wanted> constexpr void pick(const ports (&sets)[N], Wanted&& wanted) {
    clear();
    each_run(sets, [&](port_range run, std::uint32_t in) {
      if (wanted(in)) append(run);
      return true;
    });
  }
  /// Copies the ranges.
  constexpr void assign(ports p) {
    clear();
    for (std::size_t i = 0; i < p.size(); ++i) append(p[i]);
  }

private:
  constexpr void put(std::size_t i, port_range r) {
    const std::uint32_t ends = static_cast<std::uint32_t>(r.first) << 16 | r.last;
    for (std::size_t k = 0; k < 4; ++k) bytes_[4 * i + k] = static_cast<char>(ends >> (24 - 8 * k) & 0xFF);
  }

  std::size_t size_ = 0;
  bool full_ = false;
  char bytes_[4 * most];
};

} // namespace cordon::host
