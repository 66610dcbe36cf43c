// SPDX-License-Identifier: BSL-1.0
/// The program of a command line, and whether it may start.
#pragma once

#include <cordon/policy/heap.hpp>
#include <cordon/run/outcome.hpp>
#include <cordon/run/run.hpp>

#include <string>

namespace cordon::shim {

/// A program's file, or the reason why it was not found.
struct found_program {
  std::string path;            ///< absolute, before resolution
  std::string real;            ///< the resolved path
  ending how = ending::exited; ///< not_found or not_executable on error
  std::string why;
};

/// Records the program in the report, or that it was not found. Returns: was it found? Throws: `refused` if the policy
/// does not let it start in the report's directory.
[[nodiscard]] bool accept_program(const found_program& program, const loaded_policy& policy, report& r);

/// Ends the report of a program that was found and cannot be executed.
void report_not_executable(const std::string& program, int error, const std::string& why, report& r);

} // namespace cordon::shim
