// SPDX-License-Identifier: BSL-1.0
/// Environment variables in the form of CreateProcessW: `NAME=value`, a NUL after each, one more at the end. Sorted by
/// name without regard to case ("Changing environment variables").
#pragma once

#include <algorithm>
#include <map>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace cordon::windows_shim {

/// Names that differ only in the case of ASCII letters are one name.
struct variable_order {
  [[nodiscard]] static constexpr wchar_t folded(wchar_t c) {
    return c >= L'a' && c <= L'z' ? static_cast<wchar_t>(c - 32) : c;
  }
  [[nodiscard]] constexpr bool operator()(std::wstring_view a, std::wstring_view b) const {
    return std::lexicographical_compare(a.begin(), a.end(), b.begin(), b.end(),
                                        [](wchar_t x, wchar_t y) { return folded(x) < folded(y); });
  }
};

/// If a name occurs twice, the later value wins. Variables such as `=C:=C:\dir`, with which cmd.exe remembers the
/// caller's directories, are left out. Throws: std::invalid_argument.
[[nodiscard]] inline std::wstring environment_block(const std::vector<std::wstring>& variables) {
  std::map<std::wstring_view, std::wstring_view, variable_order> sorted;
  for (const std::wstring& v : variables) {
    if (v.find(L'\0') != v.npos) throw std::invalid_argument("a variable holds a NUL");
    const std::size_t end = v.find(L'=');
    if (end == v.npos) throw std::invalid_argument("a variable has no value");
    if (end == 0) continue;
    const std::wstring_view name = std::wstring_view(v).substr(0, end);
    sorted.erase(name); // keep the later spelling of the name
    sorted.emplace(name, v);
  }
  std::wstring block;
  for (const auto& [name, entry] : sorted) block.append(entry).append(1, L'\0');
  return block.append(sorted.empty() ? 2 : 1, L'\0');
}

} // namespace cordon::windows_shim
