// SPDX-License-Identifier: BSL-1.0
#include "stream_file.hpp"

#include "../files/path_resolver.hpp"

#include <cordon/query/query.hpp>

#include <fcntl.h>
#include <sys/socket.h>
#include <sys/sysmacros.h>
#include <unistd.h>

namespace cordon::linux_shim {
namespace {

/// Does the path lead to that file in this process's view?
[[nodiscard]] bool leads_to(const std::string& path, const struct stat& file) {
  struct stat there {};
  const descriptor opened = open_place(AT_FDCWD, path.c_str());
  return opened && ::fstat(opened.get(), &there) == 0 && there.st_dev == file.st_dev && there.st_ino == file.st_ino;
}

/// null, zero, full, random and urandom carry only bytes. Documentation/admin-guide/devices.txt of the kernel.
[[nodiscard]] bool is_plain_device(dev_t device) {
  constexpr unsigned memory = 1;
  const unsigned n = minor(device);
  return major(device) == memory && (n == 3 || n == 5 || n == 7 || n == 8 || n == 9);
}

/// A file in memory: a program that holds one can seal it, or execute it although the policy allows no execution.
/// memfd_create(2).
[[nodiscard]] bool is_memory_file(std::string_view kernel_name) {
  return kernel_name.starts_with("/memfd:") || kernel_name.starts_with("/secretmem");
}

} // namespace

stream_file::stream_file(const loaded_policy& policy, int fd) : policy_(policy), fd_(fd), flags_(::fcntl(fd, F_GETFL)) {
  if (flags_ >= 0 && ::fstat(fd, &status_) != 0) flags_ = -1;
  if (flags_ < 0) return;
  kernel_name_ = read_link(AT_FDCWD, descriptor_path(fd).c_str()).value_or("");
  if (kernel_name_.starts_with('/') && leads_to(kernel_name_, status_)) path_ = kernel_name_;
}

bool stream_file::is_place() const {
  // Access mode 3 permits ioctl(2) alone: open(2).
  return S_ISDIR(status_.st_mode) || (flags_ & O_PATH) != 0 || (flags_ & O_ACCMODE) == O_ACCMODE;
}

bool stream_file::is_object() const {
  // Descriptors of processes, events and the like have no file type (anon_inode_getfile, fs/anon_inodes.c). A file of
  // nsfs has a name such as "net:[4026531840]"; ioctl(2) on it returns other namespaces: ioctl_ns(2).
  const bool is_namespace =
      is_regular() && !kernel_name_.starts_with('/') && kernel_name_.find(":[") != kernel_name_.npos;
  return (status_.st_mode & S_IFMT) == 0 || is_namespace;
}

bool stream_file::allows(right wanted) const {
  return !path_.empty() && rights::from_bits(policy_.files().lookup(path_)).has(wanted);
}

bool stream_file::is_reduced() const {
  if (path_.empty()) return false;
  const auto files = policy_.files();
  const auto own = files.lookup(path_);
  for (std::string_view up = path_; up != "/";) {
    up = path::parent(up);
    if ((files.lookup(up) & ~own) != 0) return true;
  }
  return false;
}

/// Is every use of the socket allowed by the policy? An internet socket can reach every host and accept connections
/// from every host. A unix socket can receive descriptors and reach paths that no grant contains.
bool stream_file::allows_socket() const {
  int family = AF_UNSPEC;
  socklen_t size = sizeof family;
  const bool internet =
      ::getsockopt(fd_, SOL_SOCKET, SO_DOMAIN, &family, &size) == 0 && (family == AF_INET || family == AF_INET6);
  return internet && policy_.level >= level::network && policy_.hosts().is_any() && policy_.is_any<axis_id::sockets>();
}

bool stream_file::is_wrong_end() const {
  return S_ISFIFO(status_.st_mode) && (flags_ & O_ACCMODE) == (fd_ == 0 ? O_WRONLY : O_RDONLY);
}

/// Pipes for output are relayed: /proc/self/fd opens them in the other direction, and neither a one-way descriptor nor
/// Landlock prevents that.
bool stream_file::is_relayed() const {
  switch (status_.st_mode & S_IFMT) {
  case S_IFSOCK: return !allows_socket();
  case S_IFIFO: return fd_ != 0 && (flags_ & O_ACCMODE) != O_RDONLY;
  case S_IFREG: return is_reduced() || is_memory_file(kernel_name_);
  case S_IFCHR:
    return status_.st_uid == ::geteuid() || !is_plain_device(status_.st_rdev); // root could change the device's mode
  case S_IFBLK: return true;
  default: return false;
  }
}

bool stream_file::is_read_only() const {
  const bool named = is_regular() ? status_.st_nlink > 0 : S_ISFIFO(status_.st_mode) && kernel_name_.starts_with('/');
  return named && (flags_ & O_ACCMODE) == O_RDONLY && !allows(right::write) && !allows(right::attributes);
}

} // namespace cordon::linux_shim
