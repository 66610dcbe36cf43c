// SPDX-License-Identifier: BSL-1.0
/// The ports of the machine on which cordon accepts connections for servers of a run.
#pragma once

#include "../child/descriptor.hpp"
#include "network_sockets.hpp"
#include "passed_connection.hpp"

#include <cordon/host/published_port.hpp>
#include <cordon/policy/heap.hpp>

#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/steady_timer.hpp>

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <thread>
#include <vector>

namespace cordon::linux_shim {

/// A thread accepts and passes on. Nothing of it is in a process of the run: the program sees connections from its own
/// loopback interface.
class published_ports {
public:
  /// Listens, so that a port that is taken refuses the run. `backend`: what confines the program; `isolated`: in a
  /// network of its own. Throws: `refused`.
  published_ports(const std::vector<cordon::host::published_port>& wanted, const loaded_policy& policy,
                  std::string_view backend, bool isolated);
  ~published_ports(); ///< Ends all connections.
  published_ports(const published_ports&) = delete;
  published_ports& operator=(const published_ports&) = delete;

  /// Accepts from now on. `process`: see `network_sockets`.
  void begin(linux_shim::descriptor process);
  /// The program has ended: accepts no more. What the program has sent is passed on, while its readers take it, for ten
  /// seconds at most.
  void end() noexcept;
  /// Readable once nothing is left to pass on.
  [[nodiscard]] int descriptor() const { return over_.get(); }
  [[nodiscard]] bool is_over() const;

private:
  struct listener {
    boost::asio::posix::stream_descriptor socket;
    std::uint16_t to;
    boost::asio::steady_timer pause;
  };

  void listen(const cordon::host::published_port& wanted);
  void add(linux_shim::descriptor socket, std::uint16_t to);
  void work();
  void wait(listener& on);
  void pause(listener& on);
  void accept(listener& on);
  void pass_on(linux_shim::descriptor outer, std::uint16_t to);
  void end_inward();
  void look_at_readers();

  linux_shim::descriptor over_;
  passed_connection::shared ours_;
  boost::asio::executor_work_guard<boost::asio::io_context::executor_type> running_{ours_.context.get_executor()};
  std::vector<std::unique_ptr<listener>> listeners_;
  std::optional<network_sockets> sockets_;
  boost::asio::steady_timer look_{ours_.context};
  bool accepts_ = true;
  std::uint64_t moved_ = 0; ///< bytes at the last look
  std::chrono::steady_clock::time_point moved_at_{}, last_{};
  std::thread thread_;
};

} // namespace cordon::linux_shim
