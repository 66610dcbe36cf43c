// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <windows/launch/container.hpp>

#include <algorithm>
#include <string>
#include <vector>

namespace windows_tests {

using namespace cordon::windows_shim;

/// Simulated profiles.
struct made_up {
  static inline std::vector<std::wstring> calls, taken;
  static inline bool gives_sid = true;

  static HRESULT WINAPI create(PCWSTR name, PCWSTR, PCWSTR, PSID_AND_ATTRIBUTES, DWORD, PSID* sid) {
    calls.push_back(L"create " + std::wstring(name));
    if (std::find(taken.begin(), taken.end(), name) != taken.end()) return HRESULT_FROM_WIN32(ERROR_ALREADY_EXISTS);
    SID_IDENTIFIER_AUTHORITY packages{{0, 0, 0, 0, 0, 15}};
    *sid = nullptr;
    if (gives_sid) ::AllocateAndInitializeSid(&packages, 8, 2, 1, 2, 3, 4, 5, 6, 7, sid);
    return S_OK;
  }
  static HRESULT WINAPI remove(PCWSTR name) {
    calls.push_back(L"remove " + std::wstring(name));
    return S_OK;
  }
  static profile_calls all() {
    calls.clear(), taken.clear(), gives_sid = true;
    return {create, remove, nullptr};
  }
};

} // namespace windows_tests
