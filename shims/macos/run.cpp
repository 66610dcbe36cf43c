// SPDX-License-Identifier: BSL-1.0
#include "../common/decide.hpp"
#include "attempt.hpp"

#include <cordon/run/resolve.hpp>

namespace cordon::shim {

std::shared_ptr<void> hold_for_run() { return nullptr; }

void check_supported(const run_request& request) {
  check_no_input_pipe(request);
  check_no_publishing(request);
}

/// A rule for a path holds whether the file exists or not.
resolved_policy resolve_here(const run_request& request) {
  return {with_protected(resolve(request.policy, request.links), request.settings.places)};
}

std::unique_ptr<attempt> make_attempt(attempt_input input) {
  return std::make_unique<macos_shim::attempt>(input.policy, input.request, input.result,
                                               input.selected.result == selection::confined);
}

} // namespace cordon::shim
