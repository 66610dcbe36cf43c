// SPDX-License-Identifier: BSL-1.0
/// Stores the time of the last warning: a file of a few digits in the user's state directory. If the file cannot be
/// written, each run warns.
#include "../common/host.hpp"
#include "state_directory.hpp"

#include <unistd.h>

#include <charconv>
#include <ctime>

namespace cordon::shim {
bool is_first_within(const std::string& what, std::uint32_t seconds) {
  const descriptor directory = state_directory();
  if (!directory) return true;
  const descriptor file = own_file(directory, what);
  if (!file) return true;
  char text[24] = {};
  const ssize_t size = ::pread(file.get(), text, sizeof text, 0);
  const long long now = std::time(nullptr);
  long long last = 0;
  if (size > 0) (void)std::from_chars(text, text + size, last);
  if (last <= now && now - last < static_cast<long long>(seconds)) return false;
  const std::string stamp = std::to_string(now);
  if (::ftruncate(file.get(), 0) == 0) (void)!::pwrite(file.get(), stamp.data(), stamp.size(), 0);
  return true;
}

} // namespace cordon::shim
