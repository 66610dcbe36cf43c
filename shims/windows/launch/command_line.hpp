// SPDX-License-Identifier: BSL-1.0
/// Encodes arguments as the single text that Windows passes to a program. The program splits it again. Nearly all do
/// this as the C runtime does ("Parsing C command-line arguments"): these get every argument back exactly.
#pragma once

#include <span>
#include <stdexcept>
#include <string>
#include <string_view>

namespace cordon::windows_shim {

/// UNICODE_STRING counts bytes in 16 bits, the NUL included.
inline constexpr std::size_t longest_command_line = 32766;

namespace detail {

[[nodiscard]] constexpr wchar_t folded(wchar_t c) { return c >= L'A' && c <= L'Z' ? static_cast<wchar_t>(c + 32) : c; }

[[nodiscard]] constexpr bool ends_with_folded(std::wstring_view text, std::wstring_view end) {
  if (text.size() < end.size()) return false;
  for (std::size_t i = 0; i < end.size(); ++i)
    if (folded(text[text.size() - end.size() + i]) != end[i]) return false;
  return true;
}

/// A backslash is literal, except before a quote.
constexpr void append_argument(std::wstring& to, std::wstring_view argument) {
  if (!argument.empty() && argument.find_first_of(L" \t\n\v\"") == argument.npos) {
    to += argument;
    return;
  }
  to += L'"';
  std::size_t backslashes = 0;
  for (const wchar_t c : argument) {
    if (c == L'"') to.append(backslashes + 1, L'\\');
    backslashes = c == L'\\' ? backslashes + 1 : 0;
    to += c;
  }
  to.append(backslashes, L'\\');
  to += L'"';
}

} // namespace detail

/// Is it a script that Windows starts through cmd.exe? This splits the command line by other rules, and no quoting
/// keeps an argument from being read as a command. Win32 drops blanks and dots at the end of a name.
[[nodiscard]] constexpr bool is_batch_file(std::wstring_view program) {
  while (!program.empty() && (program.back() == L' ' || program.back() == L'.')) program.remove_suffix(1);
  return detail::ends_with_folded(program, L".bat") || detail::ends_with_folded(program, L".cmd");
}

/// The first argument has other rules, without an escape: it is always quoted. Throws: std::invalid_argument for
/// arguments that no command line can represent.
[[nodiscard]] inline std::wstring command_line(std::span<const std::wstring> argv) {
  if (argv.empty()) throw std::invalid_argument("no program is given");
  for (const std::wstring& a : argv)
    if (a.find(L'\0') != a.npos) throw std::invalid_argument("an argument holds a NUL");
  if (argv.front().find(L'"') != std::wstring::npos) throw std::invalid_argument("the program's name holds a quote");
  std::wstring line = L"\"" + argv.front() + L"\"";
  for (const std::wstring& a : argv.subspan(1)) {
    line += L' ';
    detail::append_argument(line, a);
  }
  if (line.size() > longest_command_line) throw std::invalid_argument("the arguments are longer than Windows takes");
  return line;
}

} // namespace cordon::windows_shim
