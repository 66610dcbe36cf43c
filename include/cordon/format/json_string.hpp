// SPDX-License-Identifier: BSL-1.0
/// JSON as a string: documents, reports and records.
#pragma once

#include "../detail/json_writer.hpp"

#include <string>
#include <string_view>

namespace cordon::format {

/// Appends what it is called with.
struct append_to {
  std::string& text;                                               ///< what the pieces are added to
  void operator()(std::string_view piece) const { text += piece; } ///< Adds a piece.
};

using json_string_writer = json_writer<append_to>; ///< a writer of JSON into a string

/// The style of all JSON but the rules of backends.
[[nodiscard]] constexpr json_style json_string_style(std::size_t indent = 2) {
  return {.indent = indent, .controls = json_controls::short_forms};
}

/// Returns: the JSON that `body(writer)` writes.
template <class F> [[nodiscard]] std::string json_of(F&& body, std::size_t indent = 2) {
  std::string text;
  append_to out{text};
  json_string_writer to(out, json_string_style(indent));
  body(to);
  return text;
}

/// A JSON string, quotes included. Each byte that is not part of a UTF-8 character becomes U+FFFD.
[[nodiscard]] inline std::string as_json(std::string_view text) {
  return json_of([&](json_string_writer& to) { to.text(text); });
}

} // namespace cordon::format
