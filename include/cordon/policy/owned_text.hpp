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
  /// Copies the text; what does not fit is left out.
  template <std::convertible_to<std::string_view> T>
  requires(!std::same_as<T, owned_text>) constexpr owned_text(const T& from) { text_.add(std::string_view(from)); }

  /// The text; valid as long as this object.
  [[nodiscard]] constexpr operator std::string_view() const { return text_.view(); }
  [[nodiscard]] constexpr bool is_cut() const { return text_.is_cut(); } ///< Was text left out for lack of room?

private:
  host::small_text<N> text_{};
};

} // namespace cordon
