// SPDX-License-Identifier: BSL-1.0
/// Sorts places in tree order, digit by digit. A million names share few suffixes, so the bytes that a comparison sort
/// would read repeatedly are read about once. In place, and linear in the bytes for each kind of byte.
#pragma once

#include "../policy/storage.hpp"
#include "place.hpp"

namespace cordon::host {

namespace detail {

/// Multikey quicksort (Bentley and Sedgewick, 1997).
class place_sorter {
public:
  constexpr place_sorter(slot* all_slots, const char* text) : slots_(all_slots), text_(text) {}

  /// Sorts the slots [from, to), which agree in their first `depth` digits.
  constexpr void sort(std::uint32_t from, std::uint32_t to, std::size_t depth) {
    while (to - from > 8) {
      const int pivot = middle(digit(from, depth), digit(from + (to - from) / 2, depth), digit(to - 1, depth));
      std::uint32_t less = from, more = to;
      for (std::uint32_t i = from; i < more;) {
        const int d = digit(i, depth);
        if (d < pivot) swap(less++, i++);
        else if (d > pivot) swap(--more, i);
        else ++i;
      }
      if (pivot != 0) sort(less, more, depth + 1);
      // Recurses into the smaller side and loops over the larger one: the stack stays small.
      if (less - from < to - more) {
        sort(from, less, depth);
        from = more;
      } else {
        sort(more, to, depth);
        to = less;
      }
    }
    for (std::uint32_t i = from + 1; i < to; ++i)
      for (std::uint32_t k = i; k > from && order(place(k), place(k - 1)) < 0; --k) swap(k, k - 1);
  }

private:
  [[nodiscard]] constexpr std::string_view place(std::uint32_t i) const {
    return {text_ + slots_[i].first, slots_[i].length};
  }
  /// The digit that `order` compares at `depth`; 0 after the end.
  [[nodiscard]] constexpr int digit(std::uint32_t i, std::size_t depth) const {
    const std::string_view p = place(i);
    if (depth == 0) return rank(p) + 1;
    if (p[0] == '*' || depth > p.size()) return 0;
    if (!is_block(p)) return name_rank(p[p.size() - depth]);
    return depth == p.size() ? 0 : 1 + static_cast<unsigned char>(p[depth]);
  }
  [[nodiscard]] static constexpr int middle(int a, int b, int c) {
    const int low = a < b ? a : b, high = a < b ? b : a;
    return c < low ? low : c > high ? high : c;
  }
  constexpr void swap(std::uint32_t i, std::uint32_t k) {
    const slot moved = slots_[i];
    slots_[i] = slots_[k];
    slots_[k] = moved;
  }

  slot* slots_;
  const char* text_;
};

} // namespace detail

/// Sorts the slots of n places.
constexpr void sort_places(slot* all_slots, std::uint32_t n, const char* text) {
  detail::place_sorter(all_slots, text).sort(0, n, 0);
}

} // namespace cordon::host
