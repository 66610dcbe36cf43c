// SPDX-License-Identifier: BSL-1.0
#include "../../common/decide.hpp"
#include "../../posix/held_streams.hpp"
#include "attempt.hpp"

#include <cordon/run/resolve.hpp>

namespace cordon::shim {

std::shared_ptr<void> hold_for_run() { return std::make_shared<held_streams>(); }

void check_supported(const run_request& request) { check_no_gateway(request); }

resolved_policy resolve_here(const run_request& request) {
  resolved_policy resolved;
  resolved.policy = resolve(request.policy, request.links, &resolved.links);
  return resolved;
}

std::unique_ptr<attempt> make_attempt(attempt_input input) {
  return std::make_unique<linux_shim::attempt>(std::move(input));
}

} // namespace cordon::shim
