// SPDX-License-Identifier: BSL-1.0
/// The ports of the machine on which cordon accepts connections for servers of a run.
#pragma once

#include "../child/descriptor.hpp"

#include <cordon/host/published_port.hpp>
#include <cordon/policy/heap.hpp>

#include <memory>
#include <string_view>
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
  [[nodiscard]] int descriptor() const;
  [[nodiscard]] bool is_over() const;

private:
  class acceptor; ///< has Boost.Asio, which only the .cpp pays for

  std::unique_ptr<acceptor> acceptor_;
};

} // namespace cordon::linux_shim
