// SPDX-License-Identifier: BSL-1.0
#include "found_inode.hpp"

#include "../../posix/new_link.hpp"
#include "path_resolver.hpp"

#include <cordon/run/reasons.hpp>
#include <cordon/run/refused.hpp>

#include <sys/stat.h>

#include <cerrno>
#include <cstring>

namespace cordon::linux_shim {

found_inode look(const std::string& place) {
  descriptor fd;
  return look(place, fd);
}

found_inode look(const std::string& place, descriptor& held) {
  held = open_place(AT_FDCWD, place.c_str());
  if (!held && (errno == ENOENT || errno == ENOTDIR)) return {file_type::absent, {}, 0};
  if (!held) return {file_type::unknown, {}, errno};
  found_inode f;
  f.error = read_inode_id(held.get(), f.is);
  f.what = f.is.type == S_IFDIR ? file_type::directory : f.is.type == S_IFSOCK ? file_type::socket : file_type::file;
  return f;
}

const found_inode& sure(const found_inode& found, std::string_view place) {
  if (found.error == ELOOP) shim::refuse_new_link(place);
  if (found.error != 0) throw refused::because<reasons::path_not_looked_at>(place, std::strerror(found.error));
  return found;
}

} // namespace cordon::linux_shim
