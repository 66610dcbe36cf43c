// SPDX-License-Identifier: BSL-1.0
/// What tells one run from every other, so that a report is about one of them alone.
#pragma once

#include "../policy/preset.hpp"

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <string>

namespace cordon {

struct identity {
  std::string run;           ///< 32 hexadecimal digits, random
  std::string host;          ///< the machine's own name; empty where the system does not say
  std::uint64_t started = 0; ///< nanoseconds since 1970 in UTC, when cordon was asked to run the program
  platform on = platform::linux_;
};

/// The identity of a run that begins now.
[[nodiscard]] identity new_identity();

/// A time in nanoseconds since 1970 in UTC as RFC 3339 has it, to the millisecond: 2026-01-31T12:00:00.000Z.
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
