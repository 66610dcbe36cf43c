// SPDX-License-Identifier: BSL-1.0
/// The identity of a run. It distinguishes the run, and so its report, from every other.
#pragma once

#include "../policy/preset.hpp"

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <string>

namespace cordon {

struct identity {
  std::string run;           ///< 32 hexadecimal digits, random
  std::string host;          ///< the machine's host name; empty if the system does not provide it
  std::uint64_t started = 0; ///< nanoseconds since 1970 in UTC, when cordon received the request
  platform on = platform::linux_;
};

/// Creates the identity of a run that starts now.
[[nodiscard]] identity new_identity();

/// Formats nanoseconds since 1970 in UTC by RFC 3339, to the millisecond: 2026-01-31T12:00:00.000Z.
[[nodiscard]] inline std::string utc_text(std::uint64_t nanoseconds) {
  using namespace std::chrono;
  const sys_time<milliseconds> at{floor<milliseconds>(std::chrono::nanoseconds(nanoseconds))};
  const sys_days day = floor<days>(at);
  const year_month_day date(day);
  const hh_mm_ss time(at - day);
  char text[32];
  std::snprintf(text, sizeof text, "%04d-%02u-%02uT%02u:%02u:%02u.%03uZ", static_cast<int>(date.year()),
                static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()),
                static_cast<unsigned>(time.hours().count()), static_cast<unsigned>(time.minutes().count()),
                static_cast<unsigned>(time.seconds().count()), static_cast<unsigned>(time.subseconds().count()));
  return text;
}

} // namespace cordon
