// SPDX-License-Identifier: BSL-1.0
/// Policies as people write them, for golden files.
#pragma once

#include <cordon.hpp>

namespace samples {

using namespace cordon::dsl;

struct sample {
  std::string_view name;
  cordon::policy policy;
};

inline constexpr sample all[]{
    {"nothing", cordon::policy_of({})},
    {"any", cordon::unconfined(cordon::widening::all_axes{})},
    {"job", cordon::policy_of({can_run("/usr"), can_run("/lib"), can_read("/etc"), can_write("/srv/job")})},
    {"repository", cordon::policy_of({can_run("/usr"), can_write("/srv/job"), can_read("/srv/job/.git/hooks"),
                                      can_read("/srv/job/.git/config"), hidden("/srv/job/secrets")})},
    {"home", cordon::policy_of({can_read("/home/u"), hidden("/home/u/.ssh"), hidden("/home/u/.config/gh"),
                                can_run("/home/u/.cargo"), can_write("/home/u/work/app")})},
    {"exact", cordon::policy_of({grant("/run/app.sock", cordon::right::connect), grant("/opt/tool", cordon::right::run),
                                 grant("/spool", cordon::right::create), grant("/log", cordon::right::write)})},
};

} // namespace samples
