// SPDX-License-Identifier: BSL-1.0
/// What the library throws: the base class, the exception of readers, and that of policies without bounds.
#pragma once

#include "../policy/diagnostic.hpp"
#include "utf8.hpp"

#include <array>
#include <cstddef>
#include <stdexcept>
#include <string>
#include <string_view>

namespace cordon {

/// Base of every exception that the library throws of its own: `bad_document`, `policy_overflow`, `refused` and
/// `workspace_files::file_error`. Each is also an exception of the standard library. Not of this base are
/// std::bad_alloc, and the std::system_error of a thread or a child of Boost.Process that does not start.
class error {
public:
  virtual ~error() = default;
  /// *What failed: why; what to do.* The text of the exception.
  [[nodiscard]] virtual const char* what() const noexcept = 0;

protected:
  error() = default;
  error(const error&) = default;            ///< The derived exception copies its text.
  error& operator=(const error&) = default; ///< The derived exception copies its text.
};

/// A policy that outgrows what a step function can index: 2^32 entries or bytes of text.
class policy_overflow : public std::length_error, public error {
public:
  policy_overflow() : std::length_error("the policy is too large: a part has more text than fits; use fewer entries") {}
  [[nodiscard]] const char* what() const noexcept override { return std::length_error::what(); }
};

namespace format {

/// An unreadable document. `what()` is `file:line:column: message`; line and column count from 1, columns in
/// characters. Both are 0 (and left out) if the error has no position in the text.
class bad_document : public std::runtime_error, public error {
public:
  /// Lines and columns count from 1; 0: not known.
  bad_document(diagnostic_code code, const std::string& file, std::uint32_t line, std::uint32_t column,
               const std::string& message)
      : std::runtime_error(file + (line == 0 ? "" : ":" + std::to_string(line) + ":" + std::to_string(column)) + ": " +
                           message),
        code_(code),
        line_(line),
        column_(column) {}

  /// As std::exception: file, line, column and message.
  [[nodiscard]] const char* what() const noexcept override { return std::runtime_error::what(); }
  [[nodiscard]] diagnostic_code code() const { return code_; }   ///< The kind of the error.
  [[nodiscard]] std::uint32_t line() const { return line_; }     ///< The line, from 1; 0: not known.
  [[nodiscard]] std::uint32_t column() const { return column_; } ///< The column in characters, from 1; 0: not known.

private:
  diagnostic_code code_;
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

/// The words of a table, separated by blanks, for a message that lists them.
template <std::size_t N> [[nodiscard]] std::string joined(const std::array<std::string_view, N>& words) {
  std::string all;
  for (const std::string_view w : words) all += all.empty() ? std::string(w) : " " + std::string(w);
  return all;
}

} // namespace format
} // namespace cordon
