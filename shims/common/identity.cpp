// SPDX-License-Identifier: BSL-1.0
#include <cordon/run/identity.hpp>

#include "host.hpp"

#include <chrono>
#include <cstdio>
#include <random>

namespace cordon {

run_identity cordon::abi_0::new_identity() {
  run_identity id;
  std::random_device random;
  for (int word = 0; word < 4; ++word) {
    char digits[9];
    std::snprintf(digits, sizeof digits, "%08x", static_cast<unsigned>(random()));
    id.run += digits;
  }
  id.host = shim::host_name();
  id.on = shim::this_platform();
  using namespace std::chrono;
  id.started = static_cast<std::uint64_t>(duration_cast<nanoseconds>(system_clock::now().time_since_epoch()).count());
  return id;
}

std::string cordon::abi_0::utc_text(std::uint64_t nanoseconds) {
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
