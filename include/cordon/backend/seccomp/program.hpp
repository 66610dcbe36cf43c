// SPDX-License-Identifier: BSL-1.0
/// A filter that is compiled at run time, without allocation and without a copy before the kernel loads it.
#pragma once

#include "../../detail/stop.hpp"
#include "insn.hpp"

#include <cstddef>
#include <span>
#include <type_traits>

namespace cordon::seccomp {

namespace detail {
[[noreturn]] inline void this_filter_is_longer_than_its_storage() {
  cordon::detail::stop("a filter is longer than its storage: it has too many instructions; name fewer system calls");
}
} // namespace detail

/// Written from its last instruction to its first, so that the target of a jump is already written.
class program {
public:
  /// More than the longest filter over `number_set::limit` numbers.
  static constexpr std::size_t capacity = 1024;

  /// Leaves the storage uninitialized: clearing it would cost more than compiling the filter.
  constexpr program() {
    if (std::is_constant_evaluated())
      for (insn& i : store_) i = {};
  }

  [[nodiscard]] constexpr std::size_t size() const { return size_; } ///< The number of instructions.
  /// The instructions, in the layout of struct sock_filter.
  [[nodiscard]] constexpr std::span<const insn> code() const { return {store_ + (capacity - size_), size_}; }
  /// Puts an instruction in front of the others.
  constexpr void prepend(insn i) {
    if (size_ == capacity) detail::this_filter_is_longer_than_its_storage();
    store_[capacity - ++size_] = i;
  }

private:
  insn store_[capacity];
  std::size_t size_ = 0;
};

} // namespace cordon::seccomp
