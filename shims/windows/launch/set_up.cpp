// SPDX-License-Identifier: BSL-1.0
#include "../handle.hpp"
#include "command_line.hpp"
#include "environment_block.hpp"
#include "job.hpp"
#include "stages.hpp"
#include "token.hpp"

#include <cordon/backend/appcontainer/text.hpp>

namespace cordon::windows_shim {

DWORD make_profile(init_setup& u) {
  DWORD error = u.own.create(u.how.name);
  // Another container has this name: the run would share its folder and its grants.
  if (error == ERROR_ALREADY_EXISTS) error = u.own.create(random_container_name());
  return error;
}

DWORD give(init_setup& u) { return u.how.give ? u.how.give(u.own) : 0; }

DWORD name_capabilities(init_setup& u) {
  for (const std::wstring& text : u.how.capabilities) {
    if (const DWORD error = sid_of(text.c_str(), u.sids.emplace_back())) return error;
    u.capability_list.push_back({u.sids.back().get(), SE_GROUP_ENABLED});
  }
  u.capabilities.AppContainerSid = u.own.sid();
  u.capabilities.Capabilities = u.capability_list.data();
  u.capabilities.CapabilityCount = static_cast<DWORD>(u.capability_list.size());
  return 0;
}

/// Without privileges and without administrator rights. The token keeps its other groups: a container needs the
/// account's access as well as its own, and programs are readable through the group Users.
DWORD restrict_token(init_setup& u) {
  handle own;
  constexpr DWORD access = TOKEN_DUPLICATE | TOKEN_QUERY | TOKEN_ASSIGN_PRIMARY | TOKEN_ADJUST_DEFAULT;
  if (const DWORD error = token_of(::GetCurrentProcess(), access, own)) return error;
  local<PSID> group;
  if (const DWORD error = sid_of(administrators, group)) return error;
  SID_AND_ATTRIBUTES none{group.get(), 0};
  HANDLE made = nullptr;
  if (::CreateRestrictedToken(own.get(), DISABLE_MAX_PRIVILEGE, 1, &none, 0, nullptr, 0, nullptr, &made) == FALSE)
    return last_error();
  u.token = handle(made);
  return 0;
}

DWORD lower_integrity(init_setup& u) {
  constexpr wchar_t low_label[] = L"S-1-16-4096";
  local<PSID> label;
  if (const DWORD error = sid_of(low_label, label)) return error;
  TOKEN_MANDATORY_LABEL to{{label.get(), SE_GROUP_INTEGRITY}};
  const DWORD size = static_cast<DWORD>(sizeof to) + ::GetLengthSid(label.get());
  return checked(::SetTokenInformation(u.token.get(), TokenIntegrityLevel, &to, size));
}

DWORD make_job(init_setup& u) {
  u.job = handle(::CreateJobObjectW(nullptr, nullptr));
  if (!u.job) return last_error();
  JOBOBJECT_EXTENDED_LIMIT_INFORMATION limits = limits_of(u.how.limits);
  if (::SetInformationJobObject(u.job.get(), JobObjectExtendedLimitInformation, &limits, sizeof limits) == FALSE)
    return last_error();
  JOBOBJECT_BASIC_UI_RESTRICTIONS windows{appcontainer::job_ui_all};
  return checked(::SetInformationJobObject(u.job.get(), JobObjectBasicUIRestrictions, &windows, sizeof windows));
}

DWORD create_process(init_setup& u) {
  if (is_batch_file(u.what.program)) return ERROR_BAD_EXE_FORMAT;
  std::wstring line = command_line(u.what.argv), block = environment_block(u.what.environment);
  STARTUPINFOEXW start{};
  start.StartupInfo.cb = sizeof start;
  start.StartupInfo.dwFlags = STARTF_USESTDHANDLES;
  start.StartupInfo.hStdInput = u.what.stdio[0];
  start.StartupInfo.hStdOutput = u.what.stdio[1];
  start.StartupInfo.hStdError = u.what.stdio[2];
  start.lpAttributeList = u.attributes.empty() ? nullptr : u.list();
  PROCESS_INFORMATION made{};
  constexpr DWORD flags =
      CREATE_SUSPENDED | CREATE_UNICODE_ENVIRONMENT | EXTENDED_STARTUPINFO_PRESENT | CREATE_NO_WINDOW;
  const BOOL inherits = u.inherited.empty() ? FALSE : TRUE;
  const wchar_t* const directory = u.what.directory.empty() ? nullptr : u.what.directory.c_str();
  const BOOL done = u.token
                        ? ::CreateProcessAsUserW(u.token.get(), u.what.program.c_str(), line.data(), nullptr, nullptr,
                                                 inherits, flags, block.data(), directory, &start.StartupInfo, &made)
                        : ::CreateProcessW(u.what.program.c_str(), line.data(), nullptr, nullptr, inherits, flags,
                                           block.data(), directory, &start.StartupInfo, &made);
  if (done == FALSE) return last_error();
  u.process = handle(made.hProcess);
  u.thread = handle(made.hThread);
  u.pid = made.dwProcessId;
  return 0;
}

DWORD resume(init_setup& u) { return ::ResumeThread(u.thread.get()) == static_cast<DWORD>(-1) ? last_error() : 0; }

} // namespace cordon::windows_shim
