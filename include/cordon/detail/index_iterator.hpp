// SPDX-License-Identifier: BSL-1.0
/// The iterator of lists whose elements are made on access, such as entries of a step function.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <string_view> // and the iterator tags: <iterator> includes stream buffers too

namespace cordon::detail {

/// `At` is a cheap function object: `at(i)` returns element i. A C++20 random access iterator; an input iterator to
/// algorithms of C++17, since `*` returns a value.
template <class At> class index_iterator {
public:
  using value_type = decltype(At{}(std::uint32_t{}));
  using reference = value_type;
  using pointer = void;
  using difference_type = std::ptrdiff_t;
  using iterator_category = std::input_iterator_tag;
  using iterator_concept = std::random_access_iterator_tag;

  constexpr index_iterator() = default;
  constexpr index_iterator(At at, std::uint32_t index) : at_(at), index_(index) {}

  [[nodiscard]] constexpr value_type operator*() const { return at_(static_cast<std::uint32_t>(index_)); }
  [[nodiscard]] constexpr value_type operator[](difference_type n) const { return *(*this + n); }

  constexpr index_iterator& operator+=(difference_type n) {
    index_ += n;
    return *this;
  }
  constexpr index_iterator& operator-=(difference_type n) { return *this += -n; }
  constexpr index_iterator& operator++() { return *this += 1; }
  constexpr index_iterator& operator--() { return *this += -1; }
  constexpr index_iterator operator++(int) {
    const index_iterator before = *this;
    ++*this;
    return before;
  }
  constexpr index_iterator operator--(int) {
    const index_iterator before = *this;
    --*this;
    return before;
  }

  [[nodiscard]] friend constexpr index_iterator operator+(index_iterator i, difference_type n) { return i += n; }
  [[nodiscard]] friend constexpr index_iterator operator+(difference_type n, index_iterator i) { return i += n; }
  [[nodiscard]] friend constexpr index_iterator operator-(index_iterator i, difference_type n) { return i -= n; }
  [[nodiscard]] friend constexpr difference_type operator-(const index_iterator& a, const index_iterator& b) {
    return a.index_ - b.index_;
  }
  /// Both must be iterators of one list.
  [[nodiscard]] friend constexpr bool operator==(const index_iterator& a, const index_iterator& b) {
    return a.index_ == b.index_;
  }
  [[nodiscard]] friend constexpr std::strong_ordering operator<=>(const index_iterator& a, const index_iterator& b) {
    return a.index_ <=> b.index_;
  }

private:
  At at_{};
  difference_type index_ = 0;
};

} // namespace cordon::detail
