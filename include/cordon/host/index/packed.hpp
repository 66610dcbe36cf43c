// SPDX-License-Identifier: BSL-1.0
/// Numbers of several types in one array of bytes: a small index is mostly its containers otherwise.
#pragma once

#include <cstddef>
#include <cstring>
#include <vector>

namespace cordon::detail {

/// The n-th of the numbers that begin there.
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
