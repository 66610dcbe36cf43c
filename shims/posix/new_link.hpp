// SPDX-License-Identifier: BSL-1.0
/// The refusal of a path that was resolved before, and through which a symbolic link now leads elsewhere.
#pragma once

#include <cordon/run/reasons.hpp>
#include <cordon/run/refused.hpp>

#include <string>
#include <string_view>

namespace cordon::shim {

/// Throws: `refused`.
[[noreturn]] inline void refuse_new_link(std::string_view place) {
  throw refused::because<reasons::link_appeared>(place);
}

} // namespace cordon::shim
