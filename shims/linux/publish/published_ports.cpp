// SPDX-License-Identifier: BSL-1.0
#include "published_ports.hpp"

#include "network_sockets.hpp"
#include "passed_connection.hpp"

#include "../calls/blocked_signals.hpp"

#include <cordon/query/query.hpp>
#include <cordon/run/reasons.hpp>
#include <cordon/run/refused.hpp>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstdint>
#include <cstring>
#include <exception>
#include <optional>
#include <string>
#include <system_error>
#include <thread>
#include <utility>

namespace cordon::linux_shim {
namespace {

using namespace std::chrono_literals;
using waited = boost::asio::posix::stream_descriptor;

constexpr std::size_t most_connections = 512; // more of them wait in the kernel's queue
constexpr std::chrono::milliseconds without_room = 50ms, between_looks = 250ms, patience_with_reader = 2s,
                                    patience_in_all = 10s;

union socket_address {
  sockaddr any;
  sockaddr_in inet;
  sockaddr_in6 inet6;
};

[[nodiscard]] socklen_t size_of(const socket_address& a) {
  return a.any.sa_family == AF_INET ? sizeof(sockaddr_in) : sizeof(sockaddr_in6);
}

[[nodiscard]] socket_address loopback(int family, std::uint16_t port) {
  socket_address a{};
  a.any.sa_family = static_cast<sa_family_t>(family);
  if (family == AF_INET) {
    a.inet.sin_port = htons(port);
    a.inet.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  } else {
    a.inet6.sin6_port = htons(port);
    a.inet6.sin6_addr = in6addr_loopback;
  }
  return a;
}

[[nodiscard]] socket_address address_of(const cordon::host::published_port& p) {
  const bool v4 = p.at.family == cordon::host::family::v4;
  socket_address a = loopback(v4 ? AF_INET : AF_INET6, p.port);
  if (v4) std::memcpy(&a.inet.sin_addr, p.at.bytes, sizeof a.inet.sin_addr);
  else std::memcpy(&a.inet6.sin6_addr, p.at.bytes, sizeof a.inet6.sin6_addr);
  return a;
}

/// Returns: none, with errno.
[[nodiscard]] descriptor listening(const socket_address& at) {
  descriptor made(::socket(at.any.sa_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
  const int yes = 1;
  if (!made) return made;
  (void)::setsockopt(made.get(), SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
  if (at.any.sa_family == AF_INET6) // each listener has the addresses that it names
    (void)::setsockopt(made.get(), IPPROTO_IPV6, IPV6_V6ONLY, &yes, sizeof yes);
  if (::bind(made.get(), &at.any, size_of(at)) == 0 && ::listen(made.get(), SOMAXCONN) == 0) return made;
  const int error = errno;
  made = {};
  errno = error;
  return {};
}

/// Over a loopback interface an attempt has succeeded or failed when the call returns, except to a server whose queue is
/// full. It says EINPROGRESS in each case.
[[nodiscard]] bool is_refused(const descriptor& socket, const socket_address& at) {
  if (::connect(socket.get(), &at.any, size_of(at)) != 0 && errno != EINPROGRESS) return true;
  int error = 0;
  socklen_t size = sizeof error;
  return ::getsockopt(socket.get(), SOL_SOCKET, SO_ERROR, &error, &size) != 0 || error != 0;
}

void check(const cordon::host::published_port& p, const loaded_policy& policy, std::string_view backend,
           bool isolated) {
  const std::string port = std::to_string(p.port);
  if (policy.level != level::network) throw refused::because<reasons::publish_level>(port, name(policy.level));
  if (!allows_port(policy, p.port)) throw refused::because<reasons::publish_not_listed>(port, port);
  if (allows(policy, process_feature::any_host)) throw refused::because<reasons::publish_on_machine>(port);
  if (!allows(policy, process_feature::own_sockets)) throw refused::because<reasons::publish_without_sockets>(port);
  if (!isolated) throw refused::because<reasons::publish_without_network>(port, backend);
}

} // namespace

class published_ports::acceptor {
public:
  acceptor(const std::vector<cordon::host::published_port>& wanted, const loaded_policy& policy,
           std::string_view backend, bool isolated);
  ~acceptor();
  acceptor(const acceptor&) = delete;
  acceptor& operator=(const acceptor&) = delete;

  void begin(linux_shim::descriptor process);
  void end() noexcept;
  [[nodiscard]] int descriptor() const { return over_.get(); }

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

published_ports::acceptor::acceptor(const std::vector<cordon::host::published_port>& wanted,
                                    const loaded_policy& policy, std::string_view backend, bool isolated)
    : over_(::eventfd(0, EFD_CLOEXEC)) {
  if (!over_) throw refused::because<reasons::no_wait>(std::strerror(errno));
  for (auto p = wanted.begin(); p != wanted.end(); ++p) {
    check(*p, policy, backend, isolated);
    if (std::find(wanted.begin(), p, *p) == p) listen(*p); // an option and a policy may name the same
  }
  const blocked_signals none; // the thread inherits the mask: signals are for the host's own threads
  try {
    thread_ = std::thread([this] { work(); });
  } catch (const std::system_error& e) { throw refused::because<reasons::no_wait>(e.what()); }
}

published_ports::acceptor::~acceptor() {
  ours_.context.stop();
  if (thread_.joinable()) thread_.join();
}

void published_ports::acceptor::listen(const cordon::host::published_port& wanted) {
  const auto open = [&](const socket_address& at, bool optional) {
    linux_shim::descriptor made = listening(at);
    const int error = errno;
    if (made) add(std::move(made), wanted.to);
    else if (!optional || (error != EADDRNOTAVAIL && error != EAFNOSUPPORT))
      throw refused::because<reasons::publish_not_bound>(cordon::host::text_of(wanted).view(), std::strerror(error));
  };
  if (!wanted.localhost) return open(address_of(wanted), false);
  open(loopback(AF_INET, wanted.port), false);
  open(loopback(AF_INET6, wanted.port), true); // a machine may have no IPv6
}

void published_ports::acceptor::add(linux_shim::descriptor socket, std::uint16_t to) {
  listeners_.push_back(
      std::make_unique<listener>(listener{waited(ours_.context), to, boost::asio::steady_timer(ours_.context)}));
  listeners_.back()->socket.assign(socket.get());
  (void)socket.release();
}

/// An exception for want of memory ends the connection that it is about.
void published_ports::acceptor::work() {
  for (bool done = false; !done;) try {
      ours_.context.run();
      done = true;
    } catch (const std::exception&) {}
  const std::uint64_t one = 1;
  (void)!::write(over_.get(), &one, sizeof one);
}

void published_ports::acceptor::begin(linux_shim::descriptor process) {
  sockets_.emplace(std::move(process)); // the thread has nothing to do yet
  boost::asio::post(ours_.context, [this] {
    for (const std::unique_ptr<listener>& l : listeners_) wait(*l);
  });
}

void published_ports::acceptor::end() noexcept {
  try {
    boost::asio::post(ours_.context, [this] { end_inward(); });
  } catch (...) { ours_.context.stop(); } // no memory is left
}

void published_ports::acceptor::end_inward() {
  accepts_ = false;
  boost::system::error_code ignored;
  for (const std::unique_ptr<listener>& l : listeners_) l->socket.close(ignored); // its handlers may be due already
  running_.reset();
  if (ours_.open.empty()) return;
  ours_.ending = true;
  for (passed_connection* const c : ours_.open) c->end_inward();
  moved_at_ = std::chrono::steady_clock::now();
  last_ = moved_at_ + patience_in_all;
  look_at_readers();
}

void published_ports::acceptor::look_at_readers() {
  const auto now = std::chrono::steady_clock::now();
  if (std::exchange(moved_, ours_.moved) != ours_.moved) moved_at_ = now;
  if (now >= last_ || now >= moved_at_ + patience_with_reader) return ours_.context.stop();
  look_.expires_after(between_looks);
  look_.async_wait([this](boost::system::error_code) { look_at_readers(); });
}

void published_ports::acceptor::wait(listener& on) {
  on.socket.async_wait(waited::wait_read, [this, &on](boost::system::error_code) { accept(on); });
}

void published_ports::acceptor::pause(listener& on) {
  on.pause.expires_after(without_room);
  on.pause.async_wait([this, &on](boost::system::error_code) { accept(on); });
}

void published_ports::acceptor::accept(listener& on) {
  while (accepts_) try {
      if (ours_.open.size() >= most_connections) return pause(on);
      linux_shim::descriptor outer(
          ::accept4(on.socket.native_handle(), nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC));
      if (outer) pass_on(std::move(outer), on.to);
      else if (errno == EAGAIN) return wait(on);
      else if (errno != ECONNABORTED) return pause(on);   // descriptors, memory, or the network (accept(2))
    } catch (const std::exception&) { return pause(on); } // of the connection, for want of memory or descriptors
}

/// A server of the run may listen on either loopback address.
void published_ports::acceptor::pass_on(linux_shim::descriptor outer, std::uint16_t to) {
  for (const int family : {AF_INET, AF_INET6}) {
    linux_shim::descriptor inner = sockets_->take(family);
    if (!inner || is_refused(inner, loopback(family, to))) continue;
    return std::make_shared<passed_connection>(ours_, std::move(outer), std::move(inner))->start();
  }
  reset(outer.get()); // nothing listens: the client learns that, as it would from the machine
}

published_ports::published_ports(const std::vector<cordon::host::published_port>& wanted, const loaded_policy& policy,
                                 std::string_view backend, bool isolated)
    : acceptor_(std::make_unique<acceptor>(wanted, policy, backend, isolated)) {}

published_ports::~published_ports() = default;

void published_ports::begin(linux_shim::descriptor process) { acceptor_->begin(std::move(process)); }
void published_ports::end() noexcept { acceptor_->end(); }
int published_ports::descriptor() const { return acceptor_->descriptor(); }

bool published_ports::is_over() const {
  pollfd one{descriptor(), POLLIN, 0};
  return ::poll(&one, 1, 0) > 0;
}

} // namespace cordon::linux_shim
