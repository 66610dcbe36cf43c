// SPDX-License-Identifier: BSL-1.0
/// The report of a run as JSON, keys in a fixed order.
#pragma once

#include "run.hpp"

#include <string>

namespace cordon {

inline namespace abi_0 {

[[nodiscard]] std::string to_json(const report& r); ///< The report as JSON, keys in a fixed order. O(n).

} // namespace abi_0

} // namespace cordon
