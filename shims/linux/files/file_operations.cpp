// SPDX-License-Identifier: BSL-1.0
#include "file_operations.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>

namespace cordon::linux_shim {
namespace {

constexpr int most_tries = 16; // against another process that keeps exchanging the entry

/// Makes a new file. Returns: empty if the entry exists.
[[nodiscard]] workspace_files::file make(const entry_of& e, std::uint32_t mode) {
  workspace_files::file made(
      ::openat(e.holder.inode.get(), e.name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode));
  if (!made && errno != EEXIST) fail(errno, e.place, right::create);
  return made;
}

void clear(const workspace& in, int directory, const std::string& place) {
  const int error = for_each_entry(
      directory, [&](const dirent& e, int holder) { remove_tree_at(in, holder, e.d_name, joined(place, e.d_name)); });
  if (error != 0) fail(error, place, right::remove);
}

} // namespace

void check_mode(std::uint32_t mode, std::string_view place, right r) {
  if ((mode & ~0777U) != 0) fail(EINVAL, std::string(place), r);
}

workspace_files::file open_existing(const workspace& in, std::string_view place, int flags, right r,
                                    workspace_files::kinds which) {
  const reached there = in.find(place, r);
  if (S_ISDIR(there.facts.st_mode)) fail(EISDIR, there.place, r);
  if (which == workspace_files::kinds::regular && !S_ISREG(there.facts.st_mode))
    refuse(there.place, r, "it is not a regular file");
  return open_again(there, flags, r);
}

workspace_files::file open_or_make(const workspace& in, std::string_view place, workspace_files::existing old,
                                   std::uint32_t mode) {
  check_mode(mode, place, right::create);
  if (place.ends_with('/')) fail(EISDIR, std::string(place), right::create);
  for (int tries = 0; tries < most_tries; ++tries) {
    const entry_of e = in.find_entry(place, right::create);
    if (workspace_files::file made = make(e, mode)) return made;
    if (old == workspace_files::existing::refuse) break;
    // Follows a symbolic link to an existing file; a dangling one stays unchanged.
    if (const auto there = in.find_if_any(place, right::write, true)) {
      if (S_ISDIR(there->facts.st_mode)) fail(EISDIR, there->place, right::write);
      if (!S_ISREG(there->facts.st_mode)) refuse(there->place, right::write, "it is not a regular file");
      return open_again(*there, O_WRONLY, right::write);
    }
  }
  fail(EEXIST, std::string(place), right::create);
}

void remove_tree_at(const workspace& in, int holder, const std::string& name, const std::string& place) {
  in.judge(right::remove, place);
  int error = 0;
  for (int tries = 0; tries < most_tries; ++tries) {
    if (::unlinkat(holder, name.c_str(), 0) == 0 || errno == ENOENT) return;
    error = errno;
    if (error != EISDIR && error != EPERM) break; // POSIX specifies EPERM for a directory
    const int directory = ::openat(holder, name.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (directory < 0 && (errno == ENOTDIR || errno == ELOOP || errno == ENOENT)) continue;
    if (directory < 0) fail(errno, place, right::remove);
    clear(in, directory, place);
    if (::unlinkat(holder, name.c_str(), AT_REMOVEDIR) == 0 || errno == ENOENT) return;
    error = errno;
    if (error != ENOTDIR && error != ENOTEMPTY && error != EEXIST) break;
  }
  fail(error, place, right::remove);
}

int copy_content(int from, int to) {
  for (ssize_t n; (n = ::copy_file_range(from, nullptr, to, nullptr, std::size_t{1} << 30, 0)) != 0;)
    // Other file systems, kernels and filters refuse it: read and write instead. Also after an early end of file, as
    // procfs reports.
    if (n < 0 && errno != EINTR) break;
  std::array<char, 1 << 16> buffer;
  for (;;) {
    const ssize_t n = ::read(from, buffer.data(), buffer.size());
    if (n == 0) return 0;
    if (n < 0 && errno != EINTR) return errno;
    for (ssize_t done = 0; done < n;) {
      const ssize_t m = ::write(to, buffer.data() + done, static_cast<std::size_t>(n - done));
      if (m < 0 && errno != EINTR) return errno;
      done += std::max<ssize_t>(m, 0);
    }
  }
}

} // namespace cordon::linux_shim
