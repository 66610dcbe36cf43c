// SPDX-License-Identifier: BSL-1.0
/// The parts of an argument that may be a path or a host.
#pragma once

#include "url.hpp"

namespace cordon::guard {

/// Does `f` hold for the argument, for what stands behind a `=` in it, or behind a one-letter option? What stands in a
/// URL is the URL's, and with a blank in it the argument is prose. Calls `f` once for each `=`.
template <class F> [[nodiscard]] constexpr bool any_value(std::string_view argument, F&& f) {
  if (has_blank(argument)) return false;
  if (f(argument)) return true;
  if (url_of(argument)) return false;
  if (argument.size() > 2 && argument[0] == '-' && is_alphanumeric(argument[1])) {
    const std::string_view value = argument.substr(2);
    if (f(value)) return true;
    if (url_of(value)) return false;
  }
  for (std::size_t i = argument.find('='); i != argument.npos; i = argument.find('=', i + 1)) {
    const std::string_view value = argument.substr(i + 1);
    if (f(value)) return true;
    if (url_of(value)) return false;
  }
  return false;
}

} // namespace cordon::guard
