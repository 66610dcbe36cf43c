// SPDX-License-Identifier: BSL-1.0
/// The request of a C program as a request of the library.
#pragma once

#include "boundary.hpp"

#include <cordon/run/run.hpp>

namespace cordon::c {

/// Throws: std::invalid_argument if a member that is needed is missing, or if a member is set that this library does not
/// know.
[[nodiscard]] run_request request_of(const cordon_request* request);

} // namespace cordon::c
