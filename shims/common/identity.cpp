// SPDX-License-Identifier: BSL-1.0
#include <cordon/run/identity.hpp>

#include "host.hpp"

#include <chrono>
#include <random>

namespace cordon {

identity new_identity() {
  identity id;
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

} // namespace cordon
