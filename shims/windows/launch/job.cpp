// SPDX-License-Identifier: BSL-1.0
#include "job.hpp"

#include "../handle.hpp"
#include "token.hpp"

#include <cordon/backend/appcontainer/text.hpp>

namespace cordon::windows_shim {

JOBOBJECT_EXTENDED_LIMIT_INFORMATION limits_of(const appcontainer::job& j) {
  JOBOBJECT_EXTENDED_LIMIT_INFORMATION limits{};
  limits.BasicLimitInformation.LimitFlags = appcontainer::job_flags(j);
  limits.BasicLimitInformation.PerJobUserTimeLimit.QuadPart = static_cast<LONGLONG>(j.user_time);
  limits.BasicLimitInformation.ActiveProcessLimit = j.processes;
  limits.ProcessMemoryLimit = limits.JobMemoryLimit = static_cast<SIZE_T>(j.memory);
  return limits;
}

DWORD see_numbers(HANDLE job, const appcontainer::job& limits) {
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

bool holds(const appcontainer::job& limits) {
  const handle job(::CreateJobObjectW(nullptr, nullptr));
  JOBOBJECT_EXTENDED_LIMIT_INFORMATION wanted = limits_of(limits);
  return job &&
         ::SetInformationJobObject(job.get(), JobObjectExtendedLimitInformation, &wanted, sizeof wanted) != FALSE &&
         see_numbers(job.get(), limits) == 0;
}

} // namespace cordon::windows_shim
