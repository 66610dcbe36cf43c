// SPDX-License-Identifier: BSL-1.0
#include "found_program.hpp"

#include "../decide.hpp"

namespace cordon::shim {

bool accept_program(const found_program& program, const loaded_policy& policy, report& r) {
  if (program.how != ending::exited) {
    r.ended.how = program.how;
    r.ended.why = program.why;
    return false;
  }
  r.program = program.real;
  if (r.profile != profile::unrestricted) check_start(policy, program.real, r.directory);
  return true;
}

void report_not_executable(const std::string& program, int error, const std::string& why, report& r) {
  r.ended.how = ending::not_executable;
  r.ended.number = error;
  r.ended.why = program + ": cannot be executed: " + why;
}

} // namespace cordon::shim
