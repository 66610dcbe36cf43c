// SPDX-License-Identifier: BSL-1.0
#include "launch.hpp"

#include "stages.hpp"

namespace cordon::windows_shim {
namespace {

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
