// SPDX-License-Identifier: BSL-1.0
/// Helpers that several operations of workspace_files share.
#pragma once

#include "workspace.hpp"

#include <dirent.h>

#include <cerrno>
#include <memory>

namespace cordon::linux_shim {

/// Throws: for bits above the nine of permission.
void check_mode(std::uint32_t mode, std::string_view place, right r);

[[nodiscard]] workspace_files::file open_existing(const workspace& in, std::string_view place, int flags, right r,
                                                  workspace_files::kinds which);
/// Opens or creates the file for writing. Keeps its content.
[[nodiscard]] workspace_files::file open_or_make(const workspace& in, std::string_view place,
                                                 workspace_files::existing old, std::uint32_t mode);
/// Removes `name`, which may be a tree, from the directory `holder`. Checks each entry against the policy.
void remove_tree_at(const workspace& in, int holder, const std::string& name, const std::string& place);
/// Appends the rest of one file to another. Returns: 0 or errno.
[[nodiscard]] int copy_content(int from, int to);

/// Calls `f(entry, directory)` for each entry of a directory that is open for reading, then closes it. Returns: 0 or
/// errno.
template <class F> int for_each_entry(int fd, F&& f) {
  const std::unique_ptr<DIR, int (*)(DIR*)> listing(::fdopendir(fd), ::closedir);
  if (!listing) {
    const int error = errno;
    ::close(fd);
    return error;
  }
  errno = 0;
  for (const dirent* e; (e = ::readdir(listing.get())) != nullptr; errno = 0)
    if (const std::string_view n = e->d_name; n != "." && n != "..") f(*e, fd);
  return errno;
}

} // namespace cordon::linux_shim
