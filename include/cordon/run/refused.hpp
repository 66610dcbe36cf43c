// SPDX-License-Identifier: BSL-1.0
/// The exception for runs that cordon or the policy refuses.
#pragma once

#include "../format/error.hpp"
#include "reason.hpp"

#include <initializer_list>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace cordon {

inline namespace abi_0 {

/// Returns: the text of a reason with its values in the places of `{}`.
[[nodiscard]] std::string text_of(const reason& why, std::initializer_list<std::string_view> values);

} // namespace abi_0

/// Why a program is not started; the text contains the remedy.
class refused : public std::runtime_error, public error {
public:
  /// Returns: an exception for one of `reasons`, with a value for each `{}` of its text.
  template <const reason& Why, class... Values> [[nodiscard]] static refused because(const Values&... values) {
    static_assert(count_of_values(Why.text) == sizeof...(Values), "one value for each {} of the text");
    return {Why, text_of(Why, {std::string_view(values)...}), {std::string(std::string_view(values))...}};
  }

  /// Returns: an exception for a reason without values, with more behind its text, which is its only value.
  [[nodiscard, gnu::abi_tag("abi_0")]] static refused with_more(const reason& why, const std::string& more);

  [[nodiscard]] const char* what() const noexcept override { return std::runtime_error::what(); }
  /// The reason's ID, such as `link.appeared`.
  [[nodiscard]] std::string_view id() const { return id_; }
  /// The values of the text, for callers that word the reason themselves.
  [[nodiscard]] const std::vector<std::string>& values() const { return values_; }

protected:
  /// For `because` and classes that derive from this one.
  refused(const reason& why, const std::string& text, std::vector<std::string> values = {})
      : std::runtime_error(text), id_(why.id), values_(std::move(values)) {}

private:
  std::string_view id_; ///< of a constant
  std::vector<std::string> values_;
};

} // namespace cordon
