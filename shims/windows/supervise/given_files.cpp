// SPDX-License-Identifier: BSL-1.0
#include "given_files.hpp"

#include "../text.hpp"

#include <cordon/gap/run_gap_types.hpp>

#include <sddl.h>

namespace cordon::windows_shim {
namespace {

void report_restored(report& r, const restored& what) {
  for (const std::wstring& object : what.failed)
    r.gaps.push_back(gap_of(run_gaps::appcontainer_journal, narrow(object)));
  for (const std::wstring& object : what.changed)
    r.gaps.push_back(gap_of(run_gaps::appcontainer_changed, narrow(object)));
}

} // namespace

void given_files::begin(const machine& on, report& r) {
  lists_ = on.lists();
  const turn alone;
  report_restored(r, recover(*lists_, on.journals, on.calls));
}

DWORD given_files::give(const container& own, const std::filesystem::path& journals, const std::vector<grant>& all) {
  local<LPWSTR> account;
  if (::ConvertSidToStringSidW(own.sid(), account.out()) == FALSE) return ERROR_INVALID_SID;
  announced_ = announce(own.name());
  if (!announced_) return ERROR_ALREADY_EXISTS;
  const turn alone;
  files_.emplace(*lists_, journals / (own.name() + L".journal"), account.get());
  return files_->give(all);
}

void given_files::take_back(report& r) {
  if (!files_) return;
  const turn alone;
  report_restored(r, files_->take_back());
}

void given_files::end() {
  if (!files_) return;
  const turn alone;
  files_.reset();
}

} // namespace cordon::windows_shim
