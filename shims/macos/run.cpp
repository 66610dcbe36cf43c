// SPDX-License-Identifier: BSL-1.0
#include "attempt.hpp"

#include <cordon/run/resolve.hpp>

namespace cordon::shim {

std::unique_ptr<attempt> make_attempt(const loaded_policy& policy, run_request& request, report& r, bool confined) {
  return std::make_unique<macos_shim::attempt>(policy, request, r, confined);
}

loaded_policy resolve_here(const run_request& request) { return resolve(request.policy, request.links); }

std::vector<std::string> words_for_guard(const std::vector<std::string>& argv) { return argv; }

} // namespace cordon::shim
