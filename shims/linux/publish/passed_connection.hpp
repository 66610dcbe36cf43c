// SPDX-License-Identifier: BSL-1.0
/// A connection from outside, and the one to the run's server that its bytes are passed on to.
#pragma once

#include "../child/descriptor.hpp"

#include <boost/asio/io_context.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <set>
#include <string_view>
#include <vector>

namespace cordon::linux_shim {

/// The peer of the socket gets a reset once the socket is closed.
void reset(int socket);

/// Passes bytes on both ways until both ends have sent their last. The end of one direction is passed on by itself. If
/// one end fails, the other one is reset. A slow reader slows its writer down: at most a buffer of bytes waits for it.
/// For the thread of the context.
class passed_connection : public std::enable_shared_from_this<passed_connection> {
public:
  /// What connections share, and what outlives them.
  struct shared {
    std::vector<char> buffer = std::vector<char>(256 * 1024); ///< for bytes that are passed on at once
    std::set<passed_connection*> open{};
    std::uint64_t moved = 0; ///< bytes
    bool ending = false;     ///< the context stops with the last connection
    boost::asio::io_context context{1};
  };

  /// Neither socket blocks; the second one may still be connecting. Throws: boost::system::system_error.
  passed_connection(shared& ours, descriptor outer, descriptor inner);
  passed_connection(const passed_connection&) = delete;
  passed_connection& operator=(const passed_connection&) = delete;
  ~passed_connection();

  /// Begins. It lives as long as bytes can come.
  void start();
  /// The program has ended: what it has sent is passed on, and nothing is read for it any more.
  void end_inward();

private:
  using socket = boost::asio::posix::stream_descriptor;

  struct direction {
    socket &from, &to;
    std::vector<char> held{}; ///< read, and not yet taken by the other end
    bool done = false;
  };

  void pass(direction& d);
  /// One step. Returns: is there another one now?
  [[nodiscard]] bool read(direction& d);
  [[nodiscard]] bool write_held(direction& d);
  /// Returns: the number of bytes that the other end has taken; -1 if it has failed.
  [[nodiscard]] std::ptrdiff_t write(direction& d, std::string_view bytes);
  void wait(direction& d, socket& on, socket::wait_type event);
  void fail();

  shared& ours_;
  socket outer_, inner_;
  direction inward_, outward_;
};

} // namespace cordon::linux_shim
