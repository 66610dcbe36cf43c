// SPDX-License-Identifier: BSL-1.0
/// Options that take one of a few names.
#pragma once

#include "subcommand.hpp"

#include <cordon/format/error.hpp>
#include <cordon/policy/profile.hpp>

#include <array>
#include <string>
#include <string_view>

namespace cordon::cli {

/// Returns: the value with that name. Throws: usage_error, which lists all names.
template <class Enum, std::size_t N>
[[nodiscard]] Enum named_value(const std::string& option, const std::array<std::string_view, N>& words,
                               const std::string& text) {
  Enum value{};
  if (from_name(words, text, value)) return value;
  throw usage_error(option + " " + text + ": unknown word; known here: " + format::joined(words));
}

} // namespace cordon::cli
