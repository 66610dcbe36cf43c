// SPDX-License-Identifier: BSL-1.0
#include "../common/report_file.hpp"

#include "handle.hpp"
#include "text.hpp"

#include <cordon/run/reasons.hpp>
#include <cordon/run/refused.hpp>

#include <algorithm>
#include <filesystem>
#include <random>

#include <sddl.h>

namespace cordon::shim {

using namespace windows_shim;

struct report_file::parts {
  std::filesystem::path target;
  handle directory; ///< other processes cannot move it while this is open
  readers who;
};

namespace {

/// A list for the account alone; null: the list that the directory passes on.
[[nodiscard]] local<PSECURITY_DESCRIPTOR> list_for(report_file::readers who) {
  local<PSECURITY_DESCRIPTOR> list;
  if (who == report_file::readers::all) return list;
  HANDLE token = nullptr;
  if (::OpenProcessToken(::GetCurrentProcess(), TOKEN_QUERY, &token) == FALSE) return list;
  const handle owned(token);
  alignas(void*) unsigned char answer[512];
  DWORD size = 0;
  local<LPWSTR> account;
  if (::GetTokenInformation(token, TokenUser, answer, sizeof answer, &size) != FALSE &&
      ::ConvertSidToStringSidW(reinterpret_cast<const TOKEN_USER*>(answer)->User.Sid, account.out()) != FALSE)
    ::ConvertStringSecurityDescriptorToSecurityDescriptorW(
        (L"D:P(A;;FA;;;SY)(A;;FA;;;" + std::wstring(account.get()) + L")").c_str(), SDDL_REVISION_1, list.out(),
        nullptr);
  return list;
}

} // namespace

report_file::report_file(std::string path, readers who)
    : path_(std::move(path)), parts_(new parts{std::filesystem::absolute(wide(path_)), {}, who}) {
  const std::wstring name = parts_->target.filename().wstring();
  if (name.empty() || name == L"." || name == L"..") refuse("it is the name of a directory");
  parts_->directory = handle(::CreateFileW(parts_->target.parent_path().c_str(), FILE_LIST_DIRECTORY,
                                           FILE_SHARE_READ | FILE_SHARE_WRITE, nullptr, OPEN_EXISTING,
                                           FILE_FLAG_BACKUP_SEMANTICS, nullptr));
  if (!parts_->directory) refuse(words_of(::GetLastError()));
  if (std::filesystem::is_directory(parts_->target)) refuse("it exists and is not a regular file");
}

report_file::~report_file() = default;

bool report_file::is_stream() const { return false; }

void report_file::refuse(const std::string& why) const {
  throw refused::because<reasons::report_not_written>(path_, why);
}

std::string report_file::make(std::string_view text) const {
  const local<PSECURITY_DESCRIPTOR> list = list_for(parts_->who);
  if (parts_->who == readers::owner && list.get() == nullptr) refuse("it cannot be kept from others");
  SECURITY_ATTRIBUTES how{sizeof how, list.get(), FALSE};
  std::string fresh;
  handle file;
  do {
    fresh = ".cordon-report-" + std::to_string(std::random_device()());
    file = handle(::CreateFileW((parts_->target.parent_path() / fresh).c_str(), GENERIC_WRITE, 0, &how, CREATE_NEW,
                                FILE_ATTRIBUTE_NORMAL, nullptr));
  } while (!file && ::GetLastError() == ERROR_FILE_EXISTS);
  DWORD error = file ? 0 : ::GetLastError(), n = 0;
  for (; file && error == 0 && !text.empty(); text.remove_prefix(n))
    if (::WriteFile(file.get(), text.data(), static_cast<DWORD>(std::min<std::size_t>(text.size(), 1 << 20)), &n,
                    nullptr) == FALSE)
      error = ::GetLastError();
  if (error == 0) return fresh;
  const bool made = static_cast<bool>(file);
  file = {};
  if (made) ::DeleteFileW((parts_->target.parent_path() / fresh).c_str());
  refuse(words_of(error));
}

void report_file::check() const { ::DeleteFileW((parts_->target.parent_path() / make({})).c_str()); }

bool report_file::is_in_its_place() const { return true; } // the open handle keeps the directory from being moved

void report_file::write(std::string_view text) const {
  const std::filesystem::path fresh = parts_->target.parent_path() / make(text);
  if (::MoveFileExW(fresh.c_str(), parts_->target.c_str(), MOVEFILE_REPLACE_EXISTING) != FALSE) return;
  const DWORD error = ::GetLastError();
  ::DeleteFileW(fresh.c_str());
  refuse(words_of(error));
}

} // namespace cordon::shim
