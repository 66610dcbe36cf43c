// SPDX-License-Identifier: BSL-1.0
/// Refusals in the words of the command line: the library names what to change, this file the option that changes it.
#pragma once

#include "../../include/cordon/run/reasons.hpp"
#include "../../include/cordon/run/refused.hpp"
#include "../../include/cordon/run/report.hpp"

#include <string>
#include <vector>

namespace cordon::cli {

[[nodiscard]] std::string text_of(const refused& why);
/// `accepted`: the gaps that the caller accepts, by their IDs.
[[nodiscard]] std::string text_of(const report& r, const std::vector<std::string>& accepted);

} // namespace cordon::cli
