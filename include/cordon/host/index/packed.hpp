// SPDX-License-Identifier: BSL-1.0
/// Numbers of several types in one byte array: with several containers, a small index would mostly consist of these.
#pragma once

#include <cstddef>
#include <cstring>
#include <vector>

namespace cordon::detail {

/// The n-th of the numbers that start at `first`.
template <class T> [[nodiscard]] T nth(const char* first, std::size_t n) {
  T x;
  std::memcpy(&x, first + n * sizeof(T), sizeof x);
  return x;
}

template <class T> void append(std::vector<char>& to, const T& numbers) {
  const char* const bytes = reinterpret_cast<const char*>(numbers.data());
  to.insert(to.end(), bytes, bytes + numbers.size() * sizeof *numbers.data());
}

} // namespace cordon::detail
