// SPDX-License-Identifier: BSL-1.0
/// A text that a value owns, so that the value may outlive the source of the text.
#pragma once

#include "../host/text.hpp"

#include <concepts>
#include <cstddef>
#include <string_view>

namespace cordon {

/// At most N bytes. A longer text is cut off, and `is_cut` returns true.
template <std::size_t N> class owned_text {
public:
  constexpr owned_text() = default;
  template <std::convertible_to<std::string_view> T>
  requires(!std::same_as<T, owned_text>) constexpr owned_text(const T& from) { text_.add(std::string_view(from)); }

  [[nodiscard]] constexpr operator std::string_view() const { return text_.view(); }
  [[nodiscard]] constexpr bool is_cut() const { return text_.is_cut(); }

private:
  host::small_text<N> text_{};
};

} // namespace cordon
