// SPDX-License-Identifier: BSL-1.0
#include <fcntl.h>
#include <linux/fs.h>
#include <sys/file.h>
#include <sys/inotify.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <cstdio>

#include "attempt.hpp"

namespace attempt {
namespace {

outcome stat_of(arguments words) {
  struct stat status {};
  return answer(stat(words.text(0), &status));
}

/// FS_NODUMP_FL: the owner may set it, and it has no effect on anything but backups.
outcome set_flags(arguments words) {
  const int file = open(words.text(0), O_RDONLY | O_CLOEXEC);
  if (file < 0) return answer(file);
  int flags = 0;
  if (ioctl(file, FS_IOC_GETFLAGS, &flags) != 0) return answer(-1);
  flags |= FS_NODUMP_FL;
  return answer(ioctl(file, FS_IOC_SETFLAGS, &flags));
}

outcome set_times(arguments words) {
  const timespec times[2] = {{.tv_sec = 1, .tv_nsec = 0}, {.tv_sec = 1, .tv_nsec = 0}};
  return answer(utimensat(AT_FDCWD, words.text(0), times, 0));
}

outcome watch(arguments words) {
  const int queue = inotify_init1(IN_CLOEXEC);
  return queue < 0 ? broken("inotify_init1") : answer(inotify_add_watch(queue, words.text(0), IN_ALL_EVENTS));
}

outcome read_link(arguments words) {
  char target[4096];
  return answer(readlink(words.text(0), target, sizeof target));
}

outcome file_system_of(arguments words) {
  struct statfs status {};
  return answer(statfs(words.text(0), &status));
}

outcome get_attribute(arguments words) {
  char value[64];
  return answer(getxattr(words.text(0), words.text(1), value, sizeof value));
}

outcome lock(arguments words) {
  const int file = open(words.text(0), O_RDONLY | O_CLOEXEC);
  return file < 0 ? answer(file) : answer(flock(file, LOCK_EX | LOCK_NB));
}

/// The kernel's own type ends in an array without a length.
class handle {
public:
  file_handle* get() { return reinterpret_cast<file_handle*>(space_); }

private:
  alignas(file_handle) unsigned char space_[sizeof(file_handle) + MAX_HANDLE_SZ] = {};
};

/// Prints the handle as one word that open_by_handle takes: the type, then the bytes.
outcome name_to_handle(arguments words) {
  handle name;
  name.get()->handle_bytes = MAX_HANDLE_SZ;
  int mount = 0;
  if (name_to_handle_at(AT_FDCWD, words.text(0), name.get(), &mount, 0) != 0) return answer(-1);
  std::printf("%08x", static_cast<unsigned>(name.get()->handle_type));
  for (unsigned each = 0; each < name.get()->handle_bytes; ++each) std::printf("%02x", name.get()->f_handle[each]);
  return outcome::happened;
}

/// Any descriptor of the file system will do: no name is looked up, so no rule about names applies.
outcome open_by_handle(arguments words) {
  const int mount = open(words.text(0), O_RDONLY | O_CLOEXEC);
  if (mount < 0) return broken("a directory that may be opened");
  handle name;
  unsigned value = 0;
  const char* digits = words.text(1);
  if (std::sscanf(digits, "%8x", &value) != 1) return broken("not a handle");
  name.get()->handle_type = static_cast<int>(value);
  for (digits += 8; std::sscanf(digits, "%2x", &value) == 1 && name.get()->handle_bytes < MAX_HANDLE_SZ; digits += 2)
    name.get()->f_handle[name.get()->handle_bytes++] = static_cast<unsigned char>(value);
  return answer(open_by_handle_at(mount, name.get(), O_RDONLY));
}

constexpr act table[] = {
    {"stat", stat_of},
    {"access", [](arguments words) { return answer(access(words.text(0), F_OK)); }},
    {"readlink", read_link},
    {"statfs", file_system_of},
    {"open_path", [](arguments words) { return answer(open(words.text(0), O_PATH | O_CLOEXEC)); }},
    {"chdir", [](arguments words) { return answer(chdir(words.text(0))); }},
    {"chmod", [](arguments words) { return answer(chmod(words.text(0), static_cast<mode_t>(words.number(1)))); }},
    {"chown", [](arguments words) { return answer(chown(words.text(0), static_cast<uid_t>(-1), getegid())); }},
    {"utime", set_times},
    {"setxattr", [](arguments words) { return answer(setxattr(words.text(0), words.text(1), "x", 1, 0)); }},
    {"getxattr", get_attribute},
    {"set_flags", set_flags},
    {"watch", watch},
    {"lock", lock},
    {"name_to_handle", name_to_handle},
    {"open_by_handle", open_by_handle},
};

} // namespace

std::span<const act> metadata_acts() { return table; }

} // namespace attempt
