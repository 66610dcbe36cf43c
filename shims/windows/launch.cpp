// SPDX-License-Identifier: BSL-1.0
#include "launch.hpp"

#include "command_line.hpp"
#include "environment_block.hpp"

#include <cordon/backend/appcontainer/text.hpp>

#include <algorithm>
#include <cstring>
#include <iterator>

#include <sddl.h>

namespace cordon::windows_shim {
namespace {

// From winbase.h and winnt.h of Windows 10; some compilers' headers lack them.
constexpr DWORD_PTR job_list_attribute = 0x2000D;                            // PROC_THREAD_ATTRIBUTE_JOB_LIST
constexpr DWORD_PTR child_policy_attribute = 0x2000E;                        // ..._CHILD_PROCESS_POLICY
constexpr DWORD_PTR packages_policy_attribute = 0x2000F;                     // ..._ALL_APPLICATION_PACKAGES_POLICY
constexpr DWORD_PTR capabilities_attribute = 0x20009;                        // ..._SECURITY_CAPABILITIES
constexpr DWORD opt_out = 1, restricted = 1;                                 // values of the two policies
constexpr auto is_app_container = static_cast<TOKEN_INFORMATION_CLASS>(29);  // TokenIsAppContainer
constexpr auto app_container_sid = static_cast<TOKEN_INFORMATION_CLASS>(31); // TokenAppContainerSid
constexpr DWORD low = 0x1000;                                                // SECURITY_MANDATORY_LOW_RID
constexpr wchar_t low_label[] = L"S-1-16-4096", administrators[] = L"S-1-5-32-544";

/// The error of a setting that is not in force as requested.
constexpr DWORD not_in_force = ERROR_ACCESS_DISABLED_BY_POLICY;

[[nodiscard]] DWORD last_error() {
  const DWORD error = ::GetLastError();
  return error == 0 ? static_cast<DWORD>(ERROR_GEN_FAILURE) : error;
}
[[nodiscard]] DWORD checked(BOOL done) { return done != FALSE ? 0 : last_error(); }

[[nodiscard]] DWORD sid_of(const wchar_t* text, local<PSID>& to) {
  return checked(::ConvertStringSidToSidW(text, to.out()));
}

/// Information about a token; empty if it is not available.
[[nodiscard]] std::vector<unsigned char> asked(HANDLE token, TOKEN_INFORMATION_CLASS what) {
  DWORD size = 0;
  ::GetTokenInformation(token, what, nullptr, 0, &size);
  std::vector<unsigned char> answer(size);
  if (size == 0 || ::GetTokenInformation(token, what, answer.data(), size, &size) == FALSE) answer.clear();
  return answer;
}
template <class T> [[nodiscard]] const T* as(const std::vector<unsigned char>& answer) {
  return answer.size() < sizeof(T) ? nullptr : reinterpret_cast<const T*>(answer.data());
}

[[nodiscard]] DWORD token_of(HANDLE process, DWORD access, handle& to) {
  HANDLE token = nullptr;
  if (::OpenProcessToken(process, access, &token) == FALSE) return last_error();
  to = handle(token);
  return 0;
}

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
  local<PSID> label;
  if (const DWORD error = sid_of(low_label, label)) return error;
  TOKEN_MANDATORY_LABEL to{{label.get(), SE_GROUP_INTEGRITY}};
  const DWORD size = static_cast<DWORD>(sizeof to) + ::GetLengthSid(label.get());
  return checked(::SetTokenInformation(u.token.get(), TokenIntegrityLevel, &to, size));
}

[[nodiscard]] JOBOBJECT_EXTENDED_LIMIT_INFORMATION limits_of(const appcontainer::job& j) {
  JOBOBJECT_EXTENDED_LIMIT_INFORMATION limits{};
  limits.BasicLimitInformation.LimitFlags = appcontainer::job_flags(j);
  limits.BasicLimitInformation.PerJobUserTimeLimit.QuadPart = static_cast<LONGLONG>(j.user_time);
  limits.BasicLimitInformation.ActiveProcessLimit = j.processes;
  limits.ProcessMemoryLimit = limits.JobMemoryLimit = static_cast<SIZE_T>(j.memory);
  return limits;
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

DWORD make_list(init_setup& u) {
  constexpr DWORD most = 5;
  SIZE_T size = 0;
  ::InitializeProcThreadAttributeList(nullptr, most, 0, &size);
  u.attributes.resize(size);
  if (::InitializeProcThreadAttributeList(u.list(), most, 0, &size) != FALSE) return 0;
  u.attributes.clear();
  return last_error();
}

[[nodiscard]] DWORD add(init_setup& u, DWORD_PTR which, void* value, std::size_t size) {
  return checked(::UpdateProcThreadAttribute(u.list(), 0, which, value, size, nullptr, nullptr));
}

DWORD add_container(init_setup& u) { return add(u, capabilities_attribute, &u.capabilities, sizeof u.capabilities); }

DWORD add_packages_policy(init_setup& u) {
  if (!u.how.less_privileged) return 0;
  u.packages_policy = opt_out;
  return add(u, packages_policy_attribute, &u.packages_policy, sizeof u.packages_policy);
}

DWORD add_child_policy(init_setup& u) {
  if (u.how.spawn) return 0;
  u.child_policy = restricted;
  return add(u, child_policy_attribute, &u.child_policy, sizeof u.child_policy);
}

/// The program inherits exactly these handles, whatever others are marked inheritable. Without any, the list is left
/// out and nothing is inherited.
DWORD add_handles(init_setup& u) {
  for (const HANDLE h : u.what.stdio)
    if (h != nullptr) u.inherited.push_back(h);
  u.inherited.insert(u.inherited.end(), u.what.keep.begin(), u.what.keep.end());
  std::sort(u.inherited.begin(), u.inherited.end());
  u.inherited.erase(std::unique(u.inherited.begin(), u.inherited.end()), u.inherited.end());
  for (const HANDLE h : u.inherited)
    if (::SetHandleInformation(h, HANDLE_FLAG_INHERIT, HANDLE_FLAG_INHERIT) == FALSE) return last_error();
  return u.inherited.empty()
             ? 0
             : add(u, PROC_THREAD_ATTRIBUTE_HANDLE_LIST, u.inherited.data(), u.inherited.size() * sizeof(HANDLE));
}

DWORD add_job(init_setup& u) {
  u.job_list = u.job.get();
  return add(u, job_list_attribute, &u.job_list, sizeof u.job_list);
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

/// Every token of a less privileged container has this attribute.
constexpr wchar_t less_privileged_mark[] = L"WIN://NOALLAPPPKG";

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

[[nodiscard]] DWORD see_numbers(HANDLE job, const appcontainer::job& limits) {
  const JOBOBJECT_EXTENDED_LIMIT_INFORMATION wanted = limits_of(limits);
  JOBOBJECT_EXTENDED_LIMIT_INFORMATION now{};
  if (::QueryInformationJobObject(job, JobObjectExtendedLimitInformation, &now, sizeof now, nullptr) == FALSE)
    return last_error();
  const auto& a = wanted.BasicLimitInformation;
  const auto& b = now.BasicLimitInformation;
  const bool same = a.LimitFlags == b.LimitFlags && a.ActiveProcessLimit == b.ActiveProcessLimit &&
                    a.PerJobUserTimeLimit.QuadPart == b.PerJobUserTimeLimit.QuadPart &&
                    wanted.JobMemoryLimit == now.JobMemoryLimit && wanted.ProcessMemoryLimit == now.ProcessMemoryLimit;
  return same ? 0 : not_in_force;
}

DWORD see_limits(init_setup& u) {
  if (const DWORD error = see_numbers(u.job.get(), u.how.limits)) return error;
  JOBOBJECT_BASIC_UI_RESTRICTIONS windows{};
  if (::QueryInformationJobObject(u.job.get(), JobObjectBasicUIRestrictions, &windows, sizeof windows, nullptr) ==
      FALSE)
    return last_error();
  return windows.UIRestrictionsClass == appcontainer::job_ui_all ? 0 : not_in_force;
}

DWORD resume(init_setup& u) { return ::ResumeThread(u.thread.get()) == static_cast<DWORD>(-1) ? last_error() : 0; }

constexpr stage list[]{
    {L"profile", make_profile},
    {L"files", give},
    {L"capabilities", name_capabilities},
    {L"token", restrict_token},
    {L"integrity", lower_integrity},
    {L"job", make_job},
    {L"list", make_list},
    {L"container", add_container},
    {L"packages policy", add_packages_policy},
    {L"child policy", add_child_policy},
    {L"handles", add_handles},
    {L"job list", add_job},
    {L"process", create_process},
    {L"see container", see_container},
    {L"see packages policy", see_packages_policy},
    {L"see child policy", see_child_policy},
    {L"see integrity", see_integrity},
    {L"see privileges", see_privileges},
    {L"see groups", see_groups},
    {L"see job", see_job},
    {L"see limits", see_limits},
    {L"resume", resume},
};

constexpr stage plain[]{
    {L"job", make_job},           {L"list", make_list},  {L"handles", add_handles}, {L"job list", add_job},
    {L"process", create_process}, {L"see job", see_job}, {L"resume", resume},
};

} // namespace

init_setup::~init_setup() {
  if (!attributes.empty()) ::DeleteProcThreadAttributeList(list());
}

std::span<const stage> stages() { return list; }
std::span<const stage> plain_stages() { return plain; }

bool holds(const appcontainer::job& limits) {
  const handle job(::CreateJobObjectW(nullptr, nullptr));
  JOBOBJECT_EXTENDED_LIMIT_INFORMATION wanted = limits_of(limits);
  return job &&
         ::SetInformationJobObject(job.get(), JobObjectExtendedLimitInformation, &wanted, sizeof wanted) != FALSE &&
         see_numbers(job.get(), limits) == 0;
}

launched launch(const command& what, const confinement& how, std::span<const stage> all, const profile_calls& by) {
  launched result;
  init_setup u(what, how, by);
  for (const stage& next : all) {
    const DWORD error = next.act(u);
    if (error == 0) continue;
    result.why = {next.name, error};
    if (u.process) {
      ::TerminateProcess(u.process.get(), 125);
      ::WaitForSingleObject(u.process.get(), INFINITE);
    }
    return result;
  }
  result.process = std::move(u.process);
  result.job = std::move(u.job);
  result.pid = u.pid;
  result.own = std::move(u.own);
  return result;
}

} // namespace cordon::windows_shim
