// SPDX-License-Identifier: BSL-1.0
/// Converts between UTF-16, which Windows uses, and UTF-8.
#pragma once

#include <string>
#include <string_view>
#include <system_error>

#include <windows.h>

namespace cordon::windows_shim {

[[nodiscard]] inline std::wstring wide(std::string_view utf8) {
  const int size = static_cast<int>(utf8.size());
  std::wstring out(static_cast<std::size_t>(::MultiByteToWideChar(CP_UTF8, 0, utf8.data(), size, nullptr, 0)), L'\0');
  ::MultiByteToWideChar(CP_UTF8, 0, utf8.data(), size, out.data(), static_cast<int>(out.size()));
  return out;
}

[[nodiscard]] inline std::string narrow(std::wstring_view text) {
  const auto convert = [&](char* to, int room) {
    return ::WideCharToMultiByte(CP_UTF8, 0, text.data(), static_cast<int>(text.size()), to, room, nullptr, nullptr);
  };
  std::string out(static_cast<std::size_t>(convert(nullptr, 0)), '\0');
  convert(out.data(), static_cast<int>(out.size()));
  return out;
}

/// The message of an error of GetLastError.
[[nodiscard]] inline std::string words_of(DWORD error) {
  std::string text = std::system_category().message(static_cast<int>(error));
  while (!text.empty() && (text.back() == '.' || text.back() == '\n' || text.back() == '\r')) text.pop_back();
  return text + " (" + std::to_string(error) + ")";
}

} // namespace cordon::windows_shim
