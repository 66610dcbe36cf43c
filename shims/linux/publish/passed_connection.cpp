// SPDX-License-Identifier: BSL-1.0
#include "passed_connection.hpp"

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

#include <boost/asio/post.hpp>

#include <cerrno>

namespace cordon::linux_shim {
namespace {

/// Small messages go on at once: their sender has decided that already.
void send_at_once(int socket) {
  const int yes = 1;
  (void)::setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
}

} // namespace

void reset(int socket) {
  const linger at_once{1, 0};
  (void)::setsockopt(socket, SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once);
}

passed_connection::passed_connection(shared& ours, descriptor outer, descriptor inner)
    : ours_(ours),
      outer_(ours.context, outer.get()),
      inner_(ours.context),
      inward_{outer_, inner_},
      outward_{inner_, outer_} {
  (void)outer.release();
  inner_.assign(inner.get());
  (void)inner.release();
  send_at_once(outer_.native_handle());
  send_at_once(inner_.native_handle());
  ours_.open.insert(this);
}

/// What has not been passed on is lost, and its reader must not take the end for the sender's.
passed_connection::~passed_connection() {
  if (!inward_.done || !outward_.done)
    for (socket* const one : {&outer_, &inner_}) reset(one->native_handle());
  ours_.open.erase(this);
  if (ours_.ending && ours_.open.empty()) ours_.context.stop();
}

void passed_connection::start() {
  pass(inward_);
  pass(outward_);
}

void passed_connection::end_inward() {
  inward_.done = true;
  boost::system::error_code ignored;
  for (socket* const one : {&outer_, &inner_}) one->cancel(ignored); // the other direction goes on
}

/// Ends with the last reference: each wait holds one.
void passed_connection::pass(direction& d) {
  constexpr int most_steps = 16; // other connections wait
  for (int i = 0; i < most_steps; ++i)
    if (d.done || !(d.held.empty() ? read(d) : write_held(d))) return;
  boost::asio::post(ours_.context, [self = shared_from_this(), &d] { self->pass(d); });
}

bool passed_connection::read(direction& d) {
  const std::ptrdiff_t n = ::recv(d.from.native_handle(), ours_.buffer.data(), ours_.buffer.size(), 0);
  if (n > 0) {
    const std::string_view bytes(ours_.buffer.data(), static_cast<std::size_t>(n));
    const std::ptrdiff_t taken = write(d, bytes);
    if (taken >= 0) d.held.assign(bytes.begin() + taken, bytes.end());
    return taken >= 0;
  }
  if (n == 0) {
    d.done = true;
    (void)::shutdown(d.to.native_handle(), SHUT_WR);
  } else if (errno == EAGAIN) wait(d, d.from, socket::wait_read);
  else fail();
  return false;
}

bool passed_connection::write_held(direction& d) {
  const std::ptrdiff_t taken = write(d, {d.held.data(), d.held.size()});
  if (taken > 0) d.held.erase(d.held.begin(), d.held.begin() + taken);
  if (d.held.empty()) d.held = {};
  else if (taken == 0) wait(d, d.to, socket::wait_write);
  return taken > 0;
}

std::ptrdiff_t passed_connection::write(direction& d, std::string_view bytes) {
  const std::ptrdiff_t n = ::send(d.to.native_handle(), bytes.data(), bytes.size(), MSG_NOSIGNAL);
  if (n > 0) ours_.moved += static_cast<std::uint64_t>(n);
  if (n >= 0) return n;
  if (errno == EAGAIN) return 0;
  fail();
  return -1;
}

void passed_connection::wait(direction& d, socket& on, socket::wait_type event) {
  on.async_wait(event, [self = shared_from_this(), &d](boost::system::error_code) { self->pass(d); });
}

void passed_connection::fail() {
  boost::system::error_code ignored;
  for (direction* const d : {&inward_, &outward_}) d->done = true;
  for (socket* const one : {&outer_, &inner_}) {
    reset(one->native_handle());
    one->close(ignored);
  }
}

} // namespace cordon::linux_shim
