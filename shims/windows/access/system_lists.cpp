// SPDX-License-Identifier: BSL-1.0
#include "system_lists.hpp"

#include <aclapi.h>
#include <sddl.h>

namespace cordon::windows_shim {
namespace {

/// The SID of this process's account as text, or empty.
[[nodiscard]] std::wstring account_of_process() {
  HANDLE token = nullptr;
  if (::OpenProcessToken(::GetCurrentProcess(), TOKEN_QUERY, &token) == FALSE) return {};
  const handle owned(token);
  alignas(void*) unsigned char answer[512];
  DWORD size = 0;
  local<LPWSTR> text;
  if (::GetTokenInformation(token, TokenUser, answer, sizeof answer, &size) == FALSE ||
      ::ConvertSidToStringSidW(reinterpret_cast<const TOKEN_USER*>(answer)->User.Sid, text.out()) == FALSE)
    return {};
  return text.get();
}

} // namespace

unsigned long system_lists::open(const std::wstring& object, HANDLE& to) {
  if (const auto found = opened_.find(object); found != opened_.end()) {
    to = found->second.get();
    return 0;
  }
  // Without FILE_SHARE_DELETE no other process can rename the file. FILE_READ_DATA makes Windows check the share mode.
  handle made(::CreateFileW(object.c_str(), READ_CONTROL | WRITE_DAC | FILE_READ_ATTRIBUTES | FILE_READ_DATA,
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
  if (entries == nullptr) return ERROR_INVALID_ACL; // every account has full access: no entry changes that
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
  handle made(::CreateMutexW(nullptr, FALSE, (L"Global\\" + container).c_str()));
  return ::GetLastError() == ERROR_ALREADY_EXISTS ? handle() : std::move(made);
}

turn::turn() : mutex_(::CreateMutexW(nullptr, FALSE, (L"Global\\cordon.lists." + account_of_process()).c_str())) {
  if (mutex_) ::WaitForSingleObject(mutex_.get(), INFINITE); // an abandoned mutex is acquired too
}

turn::~turn() {
  if (mutex_) ::ReleaseMutex(mutex_.get());
}

restored recover(list_store& lists, const std::filesystem::path& journals, const profile_calls& by) {
  restored all;
  std::error_code ec;
  for (const auto& entry : std::filesystem::directory_iterator(journals, ec)) {
    if (entry.path().extension() != L".journal") continue;
    const std::wstring container = entry.path().stem().wstring();
    const handle gone = announce(container);
    if (!gone) continue;
    restored one = put_back(lists, entry.path());
    if (by.remove != nullptr) by.remove(container.c_str());
    all.changed.insert(all.changed.end(), one.changed.begin(), one.changed.end());
    all.failed.insert(all.failed.end(), one.failed.begin(), one.failed.end());
  }
  return all;
}

} // namespace cordon::windows_shim
