// SPDX-License-Identifier: BSL-1.0
/// How a long run is getting on, told where somebody watches and the program says nothing itself.
#pragma once

#include <cordon/run/run.hpp>

namespace cordon::cli {

/// Until it is over. `silent`: never tell anything.
[[nodiscard]] report watch(process_run& program, bool silent);

} // namespace cordon::cli
