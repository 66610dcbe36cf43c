// SPDX-License-Identifier: BSL-1.0
#include "job.hpp"
#include "stages.hpp"
#include "token.hpp"

#include <cordon/backend/appcontainer/text.hpp>

namespace cordon::windows_shim {
namespace {

// From winnt.h of Windows 10; some compilers' headers lack them.
constexpr auto is_app_container = static_cast<TOKEN_INFORMATION_CLASS>(29);  // TokenIsAppContainer
constexpr auto app_container_sid = static_cast<TOKEN_INFORMATION_CLASS>(31); // TokenAppContainerSid
constexpr DWORD low = 0x1000;                                                // SECURITY_MANDATORY_LOW_RID

/// Every token of a less privileged container has this attribute.
constexpr wchar_t less_privileged_mark[] = L"WIN://NOALLAPPPKG";

} // namespace

DWORD see_container(init_setup& u) {
  handle token;
  if (const DWORD error = token_of(u.process.get(), TOKEN_QUERY, token)) return error;
  const auto inside = asked(token.get(), is_app_container), which = asked(token.get(), app_container_sid);
  const DWORD* const yes = as<DWORD>(inside);
  const auto* const sid = as<PSID>(which);
  const bool ours = yes != nullptr && *yes != 0 && sid != nullptr && *sid != nullptr && u.own.sid() != nullptr &&
                    ::EqualSid(*sid, u.own.sid()) != FALSE;
  return ours ? 0 : not_in_force;
}

DWORD see_packages_policy(init_setup& u) {
  if (!u.how.less_privileged) return 0;
  handle token;
  if (const DWORD error = token_of(u.process.get(), TOKEN_QUERY, token)) return error;
  struct counted { // UNICODE_STRING, bytes
    USHORT size, room;
    const wchar_t* text;
  } name{sizeof less_privileged_mark - sizeof(wchar_t), sizeof less_privileged_mark, less_privileged_mark};
  struct found { // TOKEN_SECURITY_ATTRIBUTES_INFORMATION
    USHORT version, reserved;
    ULONG count;
  };
  using query = LONG(WINAPI*)(HANDLE, const counted*, ULONG, void*, ULONG, ULONG*);
  const auto ask = reinterpret_cast<query>(
      reinterpret_cast<void*>(::GetProcAddress(::GetModuleHandleW(L"ntdll.dll"), "NtQuerySecurityAttributesToken")));
  if (ask == nullptr) return ERROR_PROC_NOT_FOUND;
  alignas(void*) unsigned char answer[1024];
  ULONG size = 0;
  if (ask(token.get(), &name, 1, answer, sizeof answer, &size) < 0 || size < sizeof(found)) return not_in_force;
  return reinterpret_cast<const found*>(answer)->count == 1 ? 0 : not_in_force;
}

DWORD see_child_policy(init_setup& u) {
  if (u.how.spawn) return 0;
  constexpr int child_process_policy = 13; // ProcessChildProcessPolicy
  using query = BOOL(WINAPI*)(HANDLE, int, void*, SIZE_T);
  const auto ask = reinterpret_cast<query>(
      reinterpret_cast<void*>(::GetProcAddress(::GetModuleHandleW(L"kernel32.dll"), "GetProcessMitigationPolicy")));
  if (ask == nullptr) return ERROR_PROC_NOT_FOUND;
  DWORD flags = 0; // the first: NoChildProcessCreation
  if (ask(u.process.get(), child_process_policy, &flags, sizeof flags) == FALSE) return last_error();
  return (flags & 1) != 0 ? 0 : not_in_force;
}

DWORD see_integrity(init_setup& u) {
  handle token;
  if (const DWORD error = token_of(u.process.get(), TOKEN_QUERY, token)) return error;
  const auto answer = asked(token.get(), TokenIntegrityLevel);
  const auto* const label = as<TOKEN_MANDATORY_LABEL>(answer);
  if (label == nullptr || label->Label.Sid == nullptr) return not_in_force;
  const DWORD last = *::GetSidSubAuthorityCount(label->Label.Sid) - 1U;
  return *::GetSidSubAuthority(label->Label.Sid, last) <= low ? 0 : not_in_force;
}

/// One privilege remains, which every token has: to traverse directories (SeChangeNotifyPrivilege, 23).
DWORD see_privileges(init_setup& u) {
  handle token;
  if (const DWORD error = token_of(u.process.get(), TOKEN_QUERY, token)) return error;
  const auto answer = asked(token.get(), TokenPrivileges);
  const auto* const all = as<TOKEN_PRIVILEGES>(answer);
  if (all == nullptr) return not_in_force;
  for (DWORD i = 0; i < all->PrivilegeCount; ++i)
    if (all->Privileges[i].Luid.HighPart != 0 || all->Privileges[i].Luid.LowPart != 23) return not_in_force;
  return 0;
}

DWORD see_groups(init_setup& u) {
  handle token;
  if (const DWORD error = token_of(u.process.get(), TOKEN_QUERY, token)) return error;
  const auto answer = asked(token.get(), TokenGroups);
  const auto* const all = as<TOKEN_GROUPS>(answer);
  local<PSID> group;
  if (const DWORD error = sid_of(administrators, group)) return error;
  if (all == nullptr) return not_in_force;
  for (DWORD i = 0; i < all->GroupCount; ++i)
    if (::EqualSid(all->Groups[i].Sid, group.get()) != FALSE &&
        (all->Groups[i].Attributes & SE_GROUP_USE_FOR_DENY_ONLY) == 0)
      return not_in_force;
  return 0;
}

DWORD see_job(init_setup& u) {
  BOOL inside = FALSE;
  if (::IsProcessInJob(u.process.get(), u.job.get(), &inside) == FALSE) return last_error();
  return inside != FALSE ? 0 : not_in_force;
}

DWORD see_limits(init_setup& u) {
  if (const DWORD error = see_numbers(u.job.get(), u.how.limits)) return error;
  JOBOBJECT_BASIC_UI_RESTRICTIONS windows{};
  if (::QueryInformationJobObject(u.job.get(), JobObjectBasicUIRestrictions, &windows, sizeof windows, nullptr) ==
      FALSE)
    return last_error();
  return windows.UIRestrictionsClass == appcontainer::job_ui_all ? 0 : not_in_force;
}

} // namespace cordon::windows_shim
