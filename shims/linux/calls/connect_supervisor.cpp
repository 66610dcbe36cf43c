// SPDX-License-Identifier: BSL-1.0
#include "connect_supervisor.hpp"

#include "../child/raw_syscall.hpp"
#include "../child/read_file.hpp"
#include "callers_socket.hpp"

#include <cordon/query/query.hpp>

#include <fcntl.h>
#include <linux/openat2.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <string>
#include <utility>

namespace cordon::linux_shim {
namespace {

constexpr std::size_t name_at = offsetof(sockaddr_un, sun_path);

/// The kernel gives up with EAGAIN if anything on the machine was renamed or mounted while it followed a `..`
/// (openat2(2)). A program that renames without end can stop its own look-up alone.
[[nodiscard]] descriptor open_in(const descriptor& directory, const char* path, std::uint64_t how) {
  open_how wanted{};
  wanted.flags = O_PATH | O_CLOEXEC;
  wanted.resolve = how | RESOLVE_NO_MAGICLINKS;
  long fd = -EAGAIN;
  for (int tries = 0; fd == -EAGAIN && tries < 1000; ++tries)
    fd = raw_syscall(SYS_openat2, directory.get(), path, &wanted, sizeof wanted);
  errno = fd < 0 ? static_cast<int>(-fd) : 0;
  return descriptor(fd < 0 ? -1 : static_cast<int>(fd));
}

[[nodiscard]] descriptor directory_of(std::uint32_t thread, const char* which) {
  const std::string path = "/proc/" + std::to_string(thread) + "/" + which;
  return descriptor(::open(path.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
}

/// The name of an open file, as its mount namespace has it.
[[nodiscard]] std::string name_of(const descriptor& file) {
  std::array<char, 4096> name{};
  const ssize_t size = ::readlink(("/proc/self/fd/" + std::to_string(file.get())).c_str(), name.data(), name.size());
  return size < 0 ? std::string() : std::string(name.data(), static_cast<std::size_t>(size));
}

/// Looks a path up as the thread would, with its user's rights. Returns: none, with errno. Never leads outside the
/// thread's root.
[[nodiscard]] descriptor look_up(const descriptor& root, std::uint32_t thread, const char* path, user_and_group owner) {
  const bool is_absolute = path[0] == '/';
  const descriptor cwd = is_absolute ? descriptor() : directory_of(thread, "cwd");
  const acting_as program(owner);
  if (!program) {
    errno = EPERM;
    return {};
  }
  if (is_absolute) return open_in(root, path, RESOLVE_IN_ROOT);
  descriptor beneath = open_in(cwd, path, RESOLVE_BENEATH);
  if (beneath || errno != EXDEV) return beneath; // `..` or a link leads out of the directory
  return open_in(root, (name_of(cwd) + "/" + path).c_str(), RESOLVE_IN_ROOT);
}

/// Effective user and group of a thread; nothing if it has ended.
[[nodiscard]] std::optional<user_and_group> owner_of(std::uint32_t thread) {
  const std::string status = read_file("/proc/" + std::to_string(thread) + "/status");
  const auto second_of = [&](std::string_view key) -> std::optional<std::uint32_t> {
    const std::size_t at = status.find(key);
    if (at == status.npos) return {};
    char* end = nullptr;
    std::strtoul(status.c_str() + at + key.size(), &end, 10);
    return static_cast<std::uint32_t>(std::strtoul(end, nullptr, 10));
  };
  const auto user = second_of("\nUid:"), group = second_of("\nGid:");
  if (!user || !group) return {};
  return user_and_group{*user, *group};
}

} // namespace

connect_supervisor::connect_supervisor(socket_table of_run, int listener, const loaded_policy& policy)
    : of_run_(std::move(of_run)),
      of_machine_(socket_table::of_this_process()),
      listener_(listener),
      policy_(policy),
      workers_(connect_workers::make(listener)) {}

connect_supervisor::~connect_supervisor() { workers_->end(); }

bool connect_supervisor::is_granted(const descriptor& name) const {
  const std::string place = name_of(name);
  if (!path::is_normal(place)) return false;
  const bool is_listed = !policy_.is_any<axis_id::sockets>() && policy_.sockets().lookup(place) != 0;
  return is_listed || process_may(policy_, right::connect, place).allowed();
}

std::optional<int> connect_supervisor::respond(const seccomp_notif& asked) {
  connection wanted;
  wanted.id = asked.id;
  wanted.socket = copied_socket(listener_, asked);
  if (!wanted.socket) return errno == EBADF ? EBADF : EPERM;
  int family = 0;
  socklen_t size = sizeof family;
  if (::getsockopt(wanted.socket.get(), SOL_SOCKET, SO_DOMAIN, &family, &size) != 0) return errno;
  // A socket of another network, which a process outside has handed in, would reach what that network reaches.
  if (!of_run_.is_home_of(wanted.socket.get())) return EPERM;
  wanted.size = static_cast<socklen_t>(asked.data.args[2]);
  if (wanted.size > sizeof wanted.to) return EINVAL;
  if (!copy_memory(asked, asked.data.args[1], &wanted.to, wanted.size)) return EFAULT;
  if (!owner_ && ::geteuid() == 0 && !(owner_ = owner_of(asked.pid))) return EPERM;
  wanted.owner = owner_.value_or(user_and_group{});
  const bool is_unix = wanted.size > name_at && wanted.to.any.ss_family == AF_UNIX;
  if (family == AF_UNIX && is_unix && wanted.to.unix_name.sun_path[0] != '\0') {
    std::array<char, sizeof(sockaddr_un::sun_path) + 1> path{};
    std::memcpy(path.data(), wanted.to.unix_name.sun_path,
                std::min<std::size_t>(wanted.size, sizeof(sockaddr_un)) - name_at);
    // Only a program that may make namespaces can have another root than the run.
    if (!root_ || policy_.abilities.has(ability::namespaces)) root_ = directory_of(asked.pid, "root");
    wanted.file = look_up(root_, asked.pid, path.data(), wanted.owner);
    struct stat file {};
    if (!wanted.file) return errno == EXDEV ? EPERM : errno;
    if (::fstat(wanted.file.get(), &file) != 0) return errno;
    if (!S_ISSOCK(file.st_mode)) return ECONNREFUSED;
    const served where = of_run_.find(file);
    // Programs look for ECONNREFUSED, which a name has whose server has ended, before they start a server.
    if (where == served::nowhere && !is_granted(wanted.file))
      return of_machine_.find(file) == served::nowhere ? ECONNREFUSED : EPERM;
    if (where == served::with_room && !workers_->are_busy()) return make(wanted); // faster than a worker
  }
  const int flags = ::fcntl(wanted.socket.get(), F_GETFL);
  if (flags < 0) return errno;
  if ((flags & O_NONBLOCK) != 0) return make(wanted);
  return workers_->take(std::move(wanted)) ? std::optional<int>() : EAGAIN;
}

} // namespace cordon::linux_shim
