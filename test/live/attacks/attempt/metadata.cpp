// SPDX-License-Identifier: BSL-1.0
#include <fcntl.h>
#include <linux/fs.h>
#include <linux/openat2.h>
#include <sys/file.h>
#include <sys/inotify.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/vfs.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <cstdio>
#include <cstring>

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

// Where the calls without a directory are missing, the control answers ENOSYS.
#ifdef SYS_open
constexpr long old_open = SYS_open, old_creat = SYS_creat, old_chmod = SYS_chmod, old_mknod = SYS_mknod;
#else
constexpr long old_open = -1, old_creat = -1, old_chmod = -1, old_mknod = -1;
#endif

constexpr mode_t runs_as_owner = S_ISUID | 0755;
constexpr int making = O_WRONLY | O_CREAT | O_CLOEXEC;

long make_nameless(const char* file) {
  const long made = syscall(SYS_openat, AT_FDCWD, ".", O_TMPFILE | O_WRONLY | O_CLOEXEC, runs_as_owner);
  char name[64];
  std::snprintf(name, sizeof name, "/proc/self/fd/%ld", made);
  return made < 0 ? made : linkat(AT_FDCWD, name, AT_FDCWD, file, AT_SYMLINK_FOLLOW);
}

long make_by_openat2(const char* file) {
  open_how how{};
  how.flags = making;
  how.mode = runs_as_owner;
  return syscall(SYS_openat2, AT_FDCWD, file, &how, sizeof how);
}

/// Every way to a file with the set-user-ID bit. Those that make one take the name of none.
constexpr struct {
  const char* call;
  long (*make)(const char* file);
} set_user_id_ways[] = {
    {"chmod", [](const char* file) { return syscall(old_chmod, file, runs_as_owner); }},
    {"fchmod", [](const char* file) { return syscall(SYS_fchmod, open(file, O_RDONLY | O_CLOEXEC), runs_as_owner); }},
    {"fchmodat", [](const char* file) { return syscall(SYS_fchmodat, AT_FDCWD, file, runs_as_owner); }},
    {"fchmodat2", [](const char* file) { return syscall(452, AT_FDCWD, file, runs_as_owner, 0); }},
    {"creat", [](const char* file) { return syscall(old_creat, file, runs_as_owner); }},
    {"open", [](const char* file) { return syscall(old_open, file, making, runs_as_owner); }},
    {"openat", [](const char* file) { return syscall(SYS_openat, AT_FDCWD, file, making, runs_as_owner); }},
    {"tmpfile", make_nameless},
    {"openat2", make_by_openat2},
    {"mknod", [](const char* file) { return syscall(old_mknod, file, S_IFREG | runs_as_owner, 0); }},
    {"mknodat", [](const char* file) { return syscall(SYS_mknodat, AT_FDCWD, file, S_IFREG | runs_as_owner, 0); }},
};

outcome set_user_id(arguments words) {
  for (const auto& way : set_user_id_ways) {
    if (std::strcmp(way.call, words.text(0)) != 0) continue;
    if (way.make(words.text(1)) < 0) return answer(-1);
    struct stat status {};
    if (stat(words.text(1), &status) != 0) return answer(-1);
    return (status.st_mode & S_ISUID) != 0 ? outcome::happened : refused_because("no bit");
  }
  return broken("no such way");
}

/// The mode is set where no file is created; the kernel ignores it.
outcome read_with_mode(arguments words) {
  return answer(syscall(SYS_openat, AT_FDCWD, words.text(0), O_RDONLY | O_CLOEXEC, 07777));
}

constexpr act table[] = {
    {"stat", stat_of},
    {"access", [](arguments words) { return answer(access(words.text(0), F_OK)); }},
    {"readlink", read_link},
    {"statfs", file_system_of},
    {"open_path", [](arguments words) { return answer(open(words.text(0), O_PATH | O_CLOEXEC)); }},
    {"chdir", [](arguments words) { return answer(chdir(words.text(0))); }},
    {"chmod", [](arguments words) { return answer(chmod(words.text(0), static_cast<mode_t>(words.number(1)))); }},
    {"set_user_id", set_user_id},
    {"read_with_mode", read_with_mode},
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
