// SPDX-License-Identifier: BSL-1.0
#include "gaps.hpp"

#include <cordon/gap/gap_text.hpp>

namespace cordon::shim {

std::string sentence_of_gap(std::string_view what) { return std::string(gap_text(what)); }

} // namespace cordon::shim
