// SPDX-License-Identifier: BSL-1.0
/// The unix sockets of a network namespace (sock_diag(7)). Names of sockets are files, and any network namespace can
/// connect to them; the table has only the sockets of processes that belong to its namespace.
#pragma once

#include "../child/descriptor.hpp"

#include <sys/stat.h>

#include <cstdint>

namespace cordon::linux_shim {

/// What a namespace has for the name of a unix socket.
enum class served : std::uint8_t {
  nowhere,   ///< no socket in the namespace has that name
  with_room, ///< its server takes a further connection at once
  full,      ///< no server listens, or so many connections wait that a further one would have to wait too
};

/// For one thread.
class socket_table {
public:
  /// `diag`: a socket of NETLINK_SOCK_DIAG, whose namespace counts. Empty: there is no table.
  explicit socket_table(descriptor diag);
  /// The table of this process's own namespace.
  [[nodiscard]] static socket_table of_this_process();

  explicit operator bool() const { return static_cast<bool>(diag_); }
  /// Has the kernel this table (CONFIG_UNIX_DIAG, often a module), and do sockets tell their network (Linux 5.14)?
  [[nodiscard]] bool is_supported() const;
  /// Looks the socket up whose name is the file. `nowhere` also if the kernel's 32 bits cannot tell its inode number from
  /// another one, or if the file system has another device number for the kernel than for stat(2). Takes 10 to 20
  /// microseconds with few sockets.
  [[nodiscard]] served find(const struct stat& file) const;
  /// Does the socket belong to the namespace? False also before Linux 5.14, which cannot tell.
  [[nodiscard]] bool is_home_of(int socket) const;

private:
  /// Calls `f(message)` for each socket in one of these states. Returns: false if the kernel gives no list.
  template <class F> [[nodiscard]] bool each(std::uint32_t states, F&& f) const;

  descriptor diag_;
  std::uint64_t cookie_ = 0; ///< of the namespace; 0: unknown
};

} // namespace cordon::linux_shim
