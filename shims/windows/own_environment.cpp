// SPDX-License-Identifier: BSL-1.0
#include "../common/environment.hpp"
#include "text.hpp"

#include <cwchar>

namespace cordon::shim {

std::vector<std::string> own_environment() {
  std::vector<std::string> all;
  wchar_t* const block = ::GetEnvironmentStringsW();
  if (block == nullptr) return all;
  for (const wchar_t* v = block; *v != L'\0'; v += std::wcslen(v) + 1)
    if (*v != L'=') all.push_back(windows_shim::narrow(v)); // `=C:=C:\dir` is for cmd.exe
  ::FreeEnvironmentStringsW(block);
  return all;
}

} // namespace cordon::shim
