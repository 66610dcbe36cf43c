// SPDX-License-Identifier: BSL-1.0
/// Tokens, and the errors of calls about them.
#pragma once

#include "../handle.hpp"

#include <vector>

#include <windows.h>

namespace cordon::windows_shim {

inline constexpr wchar_t administrators[] = L"S-1-5-32-544";

/// The error of a setting that is not in force as requested.
inline constexpr DWORD not_in_force = ERROR_ACCESS_DISABLED_BY_POLICY;

/// Returns: the error of the call that has just failed; never 0.
[[nodiscard]] DWORD last_error();
[[nodiscard]] inline DWORD checked(BOOL done) { return done != FALSE ? 0 : last_error(); }

/// Converts the text of a SID. Returns: 0 or an error.
[[nodiscard]] DWORD sid_of(const wchar_t* text, local<PSID>& to);

/// Opens the token of a process. Returns: 0 or an error.
[[nodiscard]] DWORD token_of(HANDLE process, DWORD access, handle& to);

/// Information about a token; empty if it is not available.
[[nodiscard]] std::vector<unsigned char> asked(HANDLE token, TOKEN_INFORMATION_CLASS what);
template <class T> [[nodiscard]] const T* as(const std::vector<unsigned char>& answer) {
  return answer.size() < sizeof(T) ? nullptr : reinterpret_cast<const T*>(answer.data());
}

} // namespace cordon::windows_shim
