// SPDX-License-Identifier: BSL-1.0
/// How the variables of one call combine with those of the process.
#pragma once

#include "document.hpp"

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace cordon::format {

/// How the variables of a call combine with those of the process.
enum class environment_mode : std::uint8_t {
  merge,   ///< the caller's variables pass; those given override them
  replace, ///< only the variables given
  patch,   ///< as merge; the name used by hosts that also remove variables
};

/// Names of the enumerators, by value.
inline constexpr std::array<std::string_view, 3> environment_mode_names{"merge", "replace", "patch"};

/// The environment field for a call: `replace` passes no variable of the caller, the other modes change single ones.
[[nodiscard]] inline environment_text lower(environment_mode mode, text_map given,
                                            std::vector<std::string> removed = {}) {
  environment_text to;
  if (mode == environment_mode::replace) to.pass.emplace();
  to.set = std::move(given);
  to.remove = std::move(removed);
  return to;
}

} // namespace cordon::format
