// SPDX-License-Identifier: BSL-1.0
/// The exception that readers of documents throw.
#pragma once

#include "../policy/diagnostic.hpp"
#include "utf8.hpp"

#include <stdexcept>
#include <string>

namespace cordon::format {

/// An unreadable document. `what()` is `file:line:column: message`; line and column count from 1, columns in
/// characters. Both are 0 (and left out) if the error has no position in the text.
class bad_document : public std::runtime_error {
public:
  bad_document(errc code, const std::string& file, std::uint32_t line, std::uint32_t column, const std::string& message)
      : std::runtime_error(file + (line == 0 ? "" : ":" + std::to_string(line) + ":" + std::to_string(column)) + ": " +
                           message),
        code_(code),
        line_(line),
        column_(column) {}

  [[nodiscard]] errc code() const { return code_; }
  [[nodiscard]] std::uint32_t line() const { return line_; }
  [[nodiscard]] std::uint32_t column() const { return column_; }

private:
  errc code_;
  std::uint32_t line_;
  std::uint32_t column_;
};

/// A text as it appears in a message: quoted, printable, cut to 60 bytes.
[[nodiscard]] inline std::string shown(std::string_view text) {
  std::size_t size = text.size();
  if (size > 60)
    for (size = 60; size > 57 && (static_cast<unsigned char>(text[size]) & 0xC0) == 0x80;) --size; // whole characters
  return "\"" + printable(text.substr(0, size)) + (size < text.size() ? "...\"" : "\"");
}

} // namespace cordon::format
