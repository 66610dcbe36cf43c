// SPDX-License-Identifier: BSL-1.0
/// The test program as its own child, and the steps of a launch that have an effect here.
#pragma once

#include <windows/launch.hpp>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

namespace windows_tests {

using namespace cordon::windows_shim;

inline std::wstring this_program() {
  wchar_t path[MAX_PATH];
  return {path, ::GetModuleFileNameW(nullptr, path, MAX_PATH)};
}

/// The usual steps without some of them, or only these.
inline std::vector<stage> without(std::initializer_list<std::wstring_view> names) {
  std::vector<stage> left;
  for (const stage& s : stages())
    if (std::find(names.begin(), names.end(), s.name) == names.end()) left.push_back(s);
  return left;
}
inline std::vector<stage> with(std::initializer_list<std::wstring_view> names) {
  std::vector<stage> left;
  for (const stage& s : stages())
    if (std::find(names.begin(), names.end(), s.name) != names.end()) left.push_back(s);
  return left;
}
/// The steps that wine implements.
inline std::vector<stage> what_wine_does() {
  return with({L"token", L"job", L"list", L"handles", L"job list", L"process", L"see groups", L"see job", L"resume"});
}

inline confinement usual() {
  confinement how;
  how.name = L"cordon.test";
  how.limits = {64 << 20, 10'000'000, 4};
  return how;
}

inline command child(std::vector<std::wstring> arguments) {
  command what;
  what.program = this_program();
  what.argv = std::move(arguments);
  what.argv.insert(what.argv.begin(), {what.program, L"--child"});
  for (const wchar_t* name : {L"SystemRoot", L"WINEPREFIX", L"PATH"})
    if (const wchar_t* value = ::_wgetenv(name)) what.environment.push_back(std::wstring(name) + L"=" + value);
  return what;
}

inline bool is_running(DWORD pid) {
  const handle p(::OpenProcess(SYNCHRONIZE, FALSE, pid));
  return p && ::WaitForSingleObject(p.get(), 0) == WAIT_TIMEOUT;
}

inline std::string hex(const std::wstring& text) {
  std::string out;
  char four[8];
  for (const wchar_t c : text) {
    std::snprintf(four, sizeof four, "%04x", static_cast<unsigned>(c));
    out += four;
  }
  return out + "\n";
}

} // namespace windows_tests
