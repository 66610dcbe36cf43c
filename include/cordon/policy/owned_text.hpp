// SPDX-License-Identifier: BSL-1.0
/// A text that a value keeps for itself, so that the value may outlive the text that it was made from.
#pragma once

#include "../host/text.hpp"

#include <concepts>
#include <cstddef>
#include <string_view>

namespace cordon {

/// At most N bytes; what does not fit is cut off, and `is_cut` says so.
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
