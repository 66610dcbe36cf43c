// SPDX-License-Identifier: BSL-1.0
/// Variables as CreateProcessW takes them: `NAME=value`, each with a NUL behind it, one more at the end, sorted by name
/// whatever the case of its letters ("Changing environment variables").
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

/// Of the caller's variables and those that stand for them: the later one wins. `=C:=C:\dir` and the like, by which
/// cmd.exe remembers directories, are the caller's own and left out. Throws std::invalid_argument.
[[nodiscard]] inline std::wstring environment_block(const std::vector<std::wstring>& variables) {
  std::map<std::wstring_view, std::wstring_view, variable_order> sorted;
  for (const std::wstring& v : variables) {
    if (v.find(L'\0') != v.npos) throw std::invalid_argument("a variable holds a NUL");
    const std::size_t end = v.find(L'=');
    if (end == v.npos) throw std::invalid_argument("a variable has no value");
    if (end == 0) continue;
    const std::wstring_view name = std::wstring_view(v).substr(0, end);
    sorted.erase(name); // the name as the later one spells it
    sorted.emplace(name, v);
  }
  std::wstring block;
  for (const auto& [name, entry] : sorted) block.append(entry).append(1, L'\0');
  return block.append(sorted.empty() ? 2 : 1, L'\0');
}

} // namespace cordon::windows_shim
