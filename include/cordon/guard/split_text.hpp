// SPDX-License-Identifier: BSL-1.0
/// Splits the value of `env -S` into words. GNU coreutils, manual, "env invocation": -S/--split-string usage.
#pragma once

#include "word_list.hpp"

#include <cstddef>
#include <string_view>

namespace cordon::guard {

/// Parses such a text word by word. `${NAME}` is kept as it is: its value is unknown here.
class split_text {
public:
  /// Splits a text, which must outlive this object.
  constexpr explicit split_text(std::string_view text) : left_(text) {}

  /// Calls `put(char)` for each byte of the next word; false if there is no further word. O(size of the word).
  template <class Put> constexpr bool next(Put&& put) {
    while (!left_.empty() && (has(blanks, left_[0]) || left_.starts_with("\\_")))
      left_.remove_prefix(left_[0] == '\\' ? 2 : 1);
    if (left_.empty() || left_[0] == '#' || left_.starts_with("\\c")) return false;
    char quote = 0;
    while (!left_.empty() && (quote != 0 || !has(blanks, left_[0]))) {
      const char c = left_[0];
      if (c == '\\' && left_.size() > 1) {
        if (!escape(quote, put)) return true;
        continue;
      }
      left_.remove_prefix(1);
      if (quote == 0 && (c == '"' || c == '\'')) quote = c;
      else if (quote != 0 && c == quote) quote = 0;
      else put(c);
    }
    return true;
  }

private:
  /// False if the word ends here.
  template <class Put> constexpr bool escape(char quote, Put&& put) {
    const char c = left_[1];
    if (quote == 0 && c == '_') return false;
    if (quote != '\'' && c == 'c') {
      left_ = {};
      return false;
    }
    left_.remove_prefix(2);
    if (quote == '\'') {
      if (c != '\\' && c != '\'') put('\\');
      put(c);
      return true;
    }
    constexpr std::string_view names = "fnrtv_", values = "\f\n\r\t\v ";
    const std::size_t which = names.find(c);
    put(which == names.npos ? c : values[which]);
    return true;
  }

  std::string_view left_;
};

} // namespace cordon::guard
