// SPDX-License-Identifier: BSL-1.0
#include "token.hpp"

#include <sddl.h>

namespace cordon::windows_shim {

DWORD last_error() {
  const DWORD error = ::GetLastError();
  return error == 0 ? static_cast<DWORD>(ERROR_GEN_FAILURE) : error;
}

DWORD sid_of(const wchar_t* text, local<PSID>& to) { return checked(::ConvertStringSidToSidW(text, to.out())); }

DWORD token_of(HANDLE process, DWORD access, handle& to) {
  HANDLE token = nullptr;
  if (::OpenProcessToken(process, access, &token) == FALSE) return last_error();
  to = handle(token);
  return 0;
}

std::vector<unsigned char> asked(HANDLE token, TOKEN_INFORMATION_CLASS what) {
  DWORD size = 0;
  ::GetTokenInformation(token, what, nullptr, 0, &size);
  std::vector<unsigned char> answer(size);
  if (size == 0 || ::GetTokenInformation(token, what, answer.data(), size, &size) == FALSE) answer.clear();
  return answer;
}

} // namespace cordon::windows_shim
