// SPDX-License-Identifier: BSL-1.0
#include "container.hpp"

#include "../handle.hpp"

#include <stdexcept>

#include <bcrypt.h>
#include <objbase.h>
#include <sddl.h>

namespace cordon::windows_shim {
namespace {

[[nodiscard]] DWORD error_of(HRESULT r) {
  if (SUCCEEDED(r)) return 0;
  return HRESULT_FACILITY(r) == FACILITY_WIN32 ? static_cast<DWORD>(HRESULT_CODE(r)) : static_cast<DWORD>(r);
}

} // namespace

profile_calls profile_calls::of_system() {
  profile_calls all;
  const HMODULE library = ::LoadLibraryExW(L"userenv.dll", nullptr, LOAD_LIBRARY_SEARCH_SYSTEM32);
  const auto find = [library]<class F>(F& call, const char* name) {
    if (library != nullptr) call = reinterpret_cast<F>(reinterpret_cast<void*>(::GetProcAddress(library, name)));
  };
  find(all.create, "CreateAppContainerProfile");
  find(all.remove, "DeleteAppContainerProfile");
  find(all.folder, "GetAppContainerFolderPath");
  return all;
}

DWORD container::create(const std::wstring& name) {
  if (by_.create == nullptr || by_.remove == nullptr) return ERROR_PROC_NOT_FOUND;
  PSID made = nullptr;
  if (const DWORD error =
          error_of(by_.create(name.c_str(), name.c_str(), L"a program under cordon", nullptr, 0, &made)))
    return error;
  name_ = name;
  if (made == nullptr || ::IsValidSid(made) == FALSE) return ERROR_INVALID_SID;
  sid_ = made;
  return 0;
}

container::~container() {
  if (sid_ != nullptr) ::FreeSid(sid_);
  if (!name_.empty()) by_.remove(name_.c_str());
}

std::wstring container::folder() const {
  local<LPWSTR> text;
  if (by_.folder == nullptr || sid_ == nullptr || ::ConvertSidToStringSidW(sid_, text.out()) == FALSE) return {};
  PWSTR path = nullptr;
  if (FAILED(by_.folder(text.get(), &path)) || path == nullptr) return {};
  std::wstring folder(path);
  ::CoTaskMemFree(path);
  return folder;
}

std::wstring random_container_name() {
  unsigned char bits[16];
  if (::BCryptGenRandom(nullptr, bits, sizeof bits, BCRYPT_USE_SYSTEM_PREFERRED_RNG) != 0)
    throw std::runtime_error("this system has no random bits");
  std::wstring name = L"cordon.";
  for (const unsigned char b : bits) {
    name += L"0123456789abcdef"[b >> 4];
    name += L"0123456789abcdef"[b & 15];
  }
  return name;
}

} // namespace cordon::windows_shim
