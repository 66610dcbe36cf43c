// SPDX-License-Identifier: BSL-1.0
#include "working_directory.hpp"

#include "../files/path_resolver.hpp"

#include <cordon/run/reasons.hpp>
#include <cordon/run/refused.hpp>

#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace cordon::linux_shim {

descriptor open_directory(const std::string& place, struct stat& st) {
  descriptor opened = open_resolved(place);
  if (opened && ::fstat(opened.get(), &st) == 0 && S_ISDIR(st.st_mode)) return opened;
  throw refused::because<reasons::path_unknown>(place, std::strerror(opened ? ENOTDIR : errno));
}

void check_owner(const loaded_policy& p, const std::string& directory, const struct stat& st) {
  if (::geteuid() != 0 || !rights::from_bits(p.files().lookup(directory)).has(right::write)) return;
  if (st.st_uid == 0 || (st.st_mode & S_IWOTH) != 0) return;
  const std::string user = std::to_string(st.st_uid), group = std::to_string(st.st_gid);
  throw refused::because<reasons::other_owner>(directory, user, user, group);
}

} // namespace cordon::linux_shim
