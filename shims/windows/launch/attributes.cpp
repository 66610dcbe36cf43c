// SPDX-License-Identifier: BSL-1.0
#include "stages.hpp"
#include "token.hpp"

#include <algorithm>

namespace cordon::windows_shim {
namespace {

// From winbase.h and winnt.h of Windows 10; some compilers' headers lack them.
constexpr DWORD_PTR job_list_attribute = 0x2000D;        // PROC_THREAD_ATTRIBUTE_JOB_LIST
constexpr DWORD_PTR child_policy_attribute = 0x2000E;    // ..._CHILD_PROCESS_POLICY
constexpr DWORD_PTR packages_policy_attribute = 0x2000F; // ..._ALL_APPLICATION_PACKAGES_POLICY
constexpr DWORD_PTR capabilities_attribute = 0x20009;    // ..._SECURITY_CAPABILITIES
constexpr DWORD opt_out = 1, restricted = 1;             // values of the two policies

[[nodiscard]] DWORD add(init_setup& u, DWORD_PTR which, void* value, std::size_t size) {
  return checked(::UpdateProcThreadAttribute(u.list(), 0, which, value, size, nullptr, nullptr));
}

} // namespace

DWORD make_list(init_setup& u) {
  constexpr DWORD most = 5;
  SIZE_T size = 0;
  ::InitializeProcThreadAttributeList(nullptr, most, 0, &size);
  u.attributes.resize(size);
  if (::InitializeProcThreadAttributeList(u.list(), most, 0, &size) != FALSE) return 0;
  u.attributes.clear();
  return last_error();
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

} // namespace cordon::windows_shim
