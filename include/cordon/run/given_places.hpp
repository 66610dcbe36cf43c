// SPDX-License-Identifier: BSL-1.0
/// What every program gets on Linux, whatever its policy: a few devices, and /proc. A view has a /proc of the run's own, in
/// which a policy can hide what is not about processes.
#pragma once

#include "../policy/default_devices.hpp"
#include "../policy/path.hpp"

#include <string_view>

namespace cordon {

/// Does a program get the path although its policy hides it? `has_view`: it runs in a view of its own.
///
///     is_given("/proc/cpuinfo", true)     false: a mask hides it
///     is_given("/proc/cpuinfo", false)    true: /proc is the machine's, and granted as a whole
///     is_given("/proc/self/maps", true)   true: such names come and go with processes
[[nodiscard]] constexpr bool is_given(std::string_view place, bool has_view) {
  if (place == "/proc" || place == "/dev") return true;
  if (path::covers("/proc", place)) {
    if (!has_view) return true;
    std::string_view name = place.substr(std::string_view("/proc/").size());
    name = name.substr(0, name.find('/'));
    return name == "self" || name == "thread-self" || name.find_first_not_of("0123456789") == name.npos;
  }
  for (const default_device& d : default_devices)
    if (path::covers(d.place, place)) return has_view || !d.allowed.empty();
  if (!has_view) return false;
  for (const std::string_view stream : standard_streams)
    if (place == stream) return true;
  return place == "/dev/fd" || place == "/dev/ptmx" || path::covers("/dev/pts", place);
}

} // namespace cordon
