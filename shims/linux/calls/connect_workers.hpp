// SPDX-License-Identifier: BSL-1.0
/// Threads that make connections which may have to wait.
#pragma once

#include "../child/descriptor.hpp"

#include <linux/capability.h>
#include <sys/socket.h>
#include <sys/un.h>

#include <array>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

namespace cordon::linux_shim {

/// An effective user and group. The largest number: the caller's own.
struct user_and_group {
  std::uint32_t user = ~std::uint32_t{0}, group = ~std::uint32_t{0};
};

/// The calling thread acts as that user and group, without capabilities, until this object ends. For another user than
/// its own, which only root can become, also without further groups.
class acting_as {
public:
  explicit acting_as(user_and_group who);
  acting_as(const acting_as&) = delete;
  acting_as& operator=(const acting_as&) = delete;
  ~acting_as();

  /// Does it? Otherwise nothing must be done in the user's name.
  [[nodiscard]] explicit operator bool() const { return acts_; }

private:
  [[nodiscard]] bool become(user_and_group who);
  [[nodiscard]] bool drop_capabilities();

  bool acts_ = true;
  bool changed_user_ = false, dropped_ = false;
  std::vector<std::uint32_t> groups_;
  std::array<__user_cap_data_struct, _LINUX_CAPABILITY_U32S_3> capabilities_{};
};

/// One connect(2) of the program.
struct connection {
  std::uint64_t id = 0; ///< of the notification
  descriptor socket;    ///< a copy of the program's
  descriptor file;      ///< the name of a unix socket, open with O_PATH; empty: `to` is the address
  union {
    sockaddr_storage any;
    sockaddr_un unix_name;
  } to{};
  socklen_t size = 0;
  user_and_group owner{};
};

/// Connects. Returns: 0 or an errno.
[[nodiscard]] int make(const connection& wanted);

/// At most 64 threads. They share the state with its owner, which need not wait for one that waits for ever.
class connect_workers : public std::enable_shared_from_this<connect_workers> {
public:
  /// `listener`: the supervisor's descriptor (seccomp_unotify(2)); it is copied. Throws: std::system_error.
  [[nodiscard]] static std::shared_ptr<connect_workers> make(int listener);

  /// A worker makes the connection and answers the notification. Returns: false if all of them have waited for a while.
  /// Called by one thread, which has blocked all signals: the workers inherit that.
  [[nodiscard]] bool take(connection wanted);
  /// Does a worker make a connection? It may take the room of the queue that its owner has seen.
  [[nodiscard]] bool are_busy();
  void end(); ///< idle workers end now, the others with their connection

private:
  explicit connect_workers(descriptor listener) : listener_(std::move(listener)) {}
  static void work(const std::shared_ptr<connect_workers>& all);

  static constexpr std::size_t most = 64;
  descriptor listener_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<connection> waiting_;
  std::size_t threads_ = 0, idle_ = 0;
  std::chrono::steady_clock::time_point moved_{}; ///< when a worker last began or ended a connection
  bool ended_ = false;
};

} // namespace cordon::linux_shim
