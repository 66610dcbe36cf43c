// SPDX-License-Identifier: BSL-1.0
/// The directory of a session, for a run.
#pragma once

#include "run_directory.hpp"

#include <string>

namespace cordon::shim {

/// Returns: the directory of the session, made if it is missing, and locked so that `remove_session` refuses. Throws:
/// `refused`.
[[nodiscard]] run_directory open_session(const std::string& name);

/// Looks whether the session is too large for another run, and keeps the answer for `open_session`. Reads the whole
/// session: call it when time allows, such as while the program runs.
void measure_session(const std::string& name);

} // namespace cordon::shim
