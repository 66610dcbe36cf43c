// SPDX-License-Identifier: BSL-1.0
/// The test program as its own child, and the steps of a launch that have an effect here.
#pragma once

#include <windows/launch/launch.hpp>

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

/// The stage that creates the process, again if wine lost the child. Now and then a child of wine ends before it has
/// reported that it started; NtCreateUserProcess then answers STATUS_INTERNAL_ERROR, and nothing of the program has run.
inline DWORD create_process_again(init_setup& u) {
  static const stage process =
      *std::find_if(stages().begin(), stages().end(), [](const stage& s) { return s.name == L"process"; });
  DWORD error = ERROR_INTERNAL_ERROR;
  for (int left = 3; left > 0 && error == ERROR_INTERNAL_ERROR; --left) error = process.act(u);
  return error;
}

template <class Predicate> std::vector<stage> stages_where(Predicate keep) {
  std::vector<stage> kept;
  for (stage s : stages()) {
    if (!keep(s.name)) continue;
    if (s.name == L"process") s.act = create_process_again;
    kept.push_back(s);
  }
  return kept;
}

/// The usual stages without some of them, or only these.
inline std::vector<stage> without(std::initializer_list<std::wstring_view> names) {
  return stages_where([&](std::wstring_view n) { return std::find(names.begin(), names.end(), n) == names.end(); });
}
inline std::vector<stage> with(std::initializer_list<std::wstring_view> names) {
  return stages_where([&](std::wstring_view n) { return std::find(names.begin(), names.end(), n) != names.end(); });
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
