// SPDX-License-Identifier: BSL-1.0
#include "launch_failure.hpp"

#include "../child/momentary.hpp"

#include <cordon/run/reasons.hpp>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <iterator>

namespace cordon::linux_shim {

outcome outcome_of(const failure& why, const prepared& ready, const std::string& program) {
  outcome o;
  const int e = why.error;
  const bool exec = why.at == launch_stage::exec;
  o.how = exec ? ending::not_executable : ending::refused;
  o.number = e;
  o.why = exec ? program + ": cannot be executed: " +
                     (e == ENOENT   ? "its interpreter does not exist"
                      : e == EACCES ? "the policy does not let it, or its interpreter, be run"
                                    : std::strerror(e))
               : ready.describe_failure(why);
  if (exec && is_momentary(e)) o.how = ending::refused;
  if (o.how == ending::refused) o.refusal = reasons::stage_failed.id;
  if (is_momentary(why)) o.why += "; " + std::string(try_again);
  return o;
}

bool is_refused_by_host(const failure& why) {
  using enum launch_stage;
  const bool of_namespaces = why.at == clone || why.at == ids || why.at == loopback || why.at == view;
  if (is_momentary(why)) return false;
  constexpr int refusals[]{EPERM, EACCES, ENOSYS, EINVAL, ENOSPC, EUSERS, EOPNOTSUPP, ENODEV, EXDEV};
  return of_namespaces && std::find(std::begin(refusals), std::end(refusals), why.error) != std::end(refusals);
}

} // namespace cordon::linux_shim
