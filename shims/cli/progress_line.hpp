// SPDX-License-Identifier: BSL-1.0
/// Shows the progress of a long run on a terminal while the program prints nothing.
#pragma once

#include <cordon/run/run.hpp>

namespace cordon::cli {

/// Waits for the end of the run. `silent`: prints nothing.
[[nodiscard]] report watch(process_run& program, bool silent);

} // namespace cordon::cli
