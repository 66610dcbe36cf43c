// SPDX-License-Identifier: BSL-1.0
/// What every command that starts a program prints on stderr about its run.
#pragma once

#include <cordon/run/report.hpp>
#include <cordon/run/selection_input.hpp>

namespace cordon::cli {

/// Prints in one line what is not in force; the report has the details. `--backend none` is the caller's own choice, so
/// one line a minute suffices. `asked`: the backend in the request.
void print_missing(const report& r, launcher_id asked, bool asks_for_own_sockets);

/// Names the limit that ended a program, since the program itself cannot.
void print_limit(ending how);

/// Names the option for a program that was refused ptrace(2): debuggers and LeakSanitizer blame other causes.
void print_refused_tracing(const report& r);

} // namespace cordon::cli
