// SPDX-License-Identifier: BSL-1.0
#include "system_lists.hpp"

#include <aclapi.h>
#include <sddl.h>

namespace cordon::windows_shim {

unsigned long system_lists::open(const std::wstring& object, HANDLE& to) {
  if (const auto found = opened_.find(object); found != opened_.end()) return to = found->second.get(), 0;
  // Without FILE_SHARE_DELETE nobody renames it.
  handle made(::CreateFileW(object.c_str(), READ_CONTROL | WRITE_DAC | FILE_READ_ATTRIBUTES,
                            FILE_SHARE_READ | FILE_SHARE_WRITE, nullptr, OPEN_EXISTING,
                            FILE_FLAG_BACKUP_SEMANTICS | FILE_FLAG_OPEN_REPARSE_POINT, nullptr));
  BY_HANDLE_FILE_INFORMATION what{};
  if (!made || ::GetFileInformationByHandle(made.get(), &what) == FALSE) return ::GetLastError();
  if ((what.dwFileAttributes & FILE_ATTRIBUTE_REPARSE_POINT) != 0) return ERROR_CANT_ACCESS_FILE;
  to = made.get();
  opened_.emplace(object, std::move(made));
  return 0;
}

unsigned long system_lists::read(const std::wstring& object, std::wstring& list) {
  HANDLE file = nullptr;
  if (const unsigned long error = open(object, file)) return error;
  local<PSECURITY_DESCRIPTOR> found;
  PACL entries = nullptr;
  if (const DWORD error = ::GetSecurityInfo(file, SE_FILE_OBJECT, DACL_SECURITY_INFORMATION, nullptr, nullptr, &entries,
                                            nullptr, found.out()))
    return error;
  if (entries == nullptr) return ERROR_INVALID_ACL; // everybody may do everything: no entry changes that
  local<LPWSTR> text;
  if (::ConvertSecurityDescriptorToStringSecurityDescriptorW(found.get(), SDDL_REVISION_1, DACL_SECURITY_INFORMATION,
                                                             text.out(), nullptr) == FALSE)
    return ::GetLastError();
  list = text.get();
  return 0;
}

unsigned long system_lists::write(const std::wstring& object, const std::wstring& list) {
  HANDLE file = nullptr;
  if (const unsigned long error = open(object, file)) return error;
  local<PSECURITY_DESCRIPTOR> wanted;
  if (::ConvertStringSecurityDescriptorToSecurityDescriptorW(list.c_str(), SDDL_REVISION_1, wanted.out(), nullptr) ==
      FALSE)
    return ::GetLastError();
  BOOL present = FALSE, defaulted = FALSE;
  PACL entries = nullptr;
  if (::GetSecurityDescriptorDacl(wanted.get(), &present, &entries, &defaulted) == FALSE) return ::GetLastError();
  if (present == FALSE || entries == nullptr) return ERROR_INVALID_ACL;
  const SECURITY_INFORMATION inherits = parse_access_list(list).is_protected() ? PROTECTED_DACL_SECURITY_INFORMATION
                                                                               : UNPROTECTED_DACL_SECURITY_INFORMATION;
  return ::SetSecurityInfo(file, SE_FILE_OBJECT, DACL_SECURITY_INFORMATION | inherits, nullptr, nullptr, entries,
                           nullptr);
}

bool system_lists::is_directory(const std::wstring& object) {
  HANDLE file = nullptr;
  BY_HANDLE_FILE_INFORMATION what{};
  return open(object, file) == 0 && ::GetFileInformationByHandle(file, &what) != FALSE &&
         (what.dwFileAttributes & FILE_ATTRIBUTE_DIRECTORY) != 0;
}

handle announce(const std::wstring& container) {
  handle made(::CreateMutexW(nullptr, FALSE, (L"Local\\" + container).c_str()));
  return ::GetLastError() == ERROR_ALREADY_EXISTS ? handle() : std::move(made);
}

restored recover(list_store& lists, const std::filesystem::path& journals) {
  restored all;
  std::error_code ec;
  for (const auto& entry : std::filesystem::directory_iterator(journals, ec)) {
    if (entry.path().extension() != L".journal") continue;
    const handle gone = announce(entry.path().stem().wstring());
    if (!gone) continue;
    restored one = put_back(lists, entry.path());
    all.changed.insert(all.changed.end(), one.changed.begin(), one.changed.end());
    all.failed.insert(all.failed.end(), one.failed.begin(), one.failed.end());
  }
  return all;
}

} // namespace cordon::windows_shim
