// SPDX-License-Identifier: BSL-1.0
#include "captured_run.hpp"

namespace cordon::shim {

captured_run::captured_run(const limits& held, const run_request& request, report& to)
    : report_(to), sink_(held, request, to), ending_(to.ended) {}

void captured_run::pass_on(const std::function<std::vector<capture::piece>()>& take,
                           const std::function<void(ending how, int number)>& end) {
  try {
    for (const capture::piece& p : take()) {
      if (sink_.receive(p.from, p.bytes)) continue;
      end(ending::output_quota, 0);
      ending_.exceed_output();
    }
  } catch (...) {
    end(ending::interrupted, killed);
    throw;
  }
}

void captured_run::complete_report() {
  report_.sees_errors = true;
  report_.denials = sink_.take_denials();
}

} // namespace cordon::shim
