// SPDX-License-Identifier: BSL-1.0
#include "denied_calls.hpp"

#include "../child/received_descriptor.hpp"
#include "blocked_signals.hpp"

#include <cordon/backend/seccomp/evaluate.hpp>
#include <cordon/backend/seccomp/lookup.hpp>
#include <cordon/run/reasons.hpp>
#include <cordon/run/resolve.hpp>

#include <linux/seccomp.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <string>
#include <system_error>

namespace cordon::linux_shim {

static_assert(sizeof(seccomp_data) == sizeof(seccomp::data));

denied_calls::denied_calls(const confinement& how, seccomp::arch cpu, const loaded_policy& policy)
    : plain_(static_cast<const seccomp::insn*>(how.filter), how.filter_length),
      policy_(policy),
      supervises_(how.supervises_connect),
      served_(policy),
      cpu_(cpu) {
  renew();
}

denied_calls::~denied_calls() {
  if (!answering_.joinable()) return;
  const std::uint64_t one = 1;
  (void)!::write(stop_.get(), &one, sizeof one);
  answering_.join();
}

void denied_calls::renew() {
  int ends[2];
  if (::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0)
    throw refused::because<reasons::no_sockets>(std::strerror(errno));
  our_end_ = linux_shim::descriptor(ends[0]);
  childs_end_ = linux_shim::descriptor(ends[1]);
}

void denied_calls::begin() {
  childs_end_ = {};
  listener_ = receive_descriptor(our_end_.get());
  socket_table of_run(supervises_ && listener_ ? receive_descriptor(our_end_.get()) : linux_shim::descriptor());
  our_end_ = {};
  seen_ = static_cast<bool>(listener_);
  if (!of_run) return;
  stop_ = linux_shim::descriptor(::eventfd(0, EFD_CLOEXEC));
  if (!stop_) return;
  const blocked_signals none; // the thread inherits the mask: signals are for the host's own threads
  try {
    connections_.emplace(std::move(of_run), listener_.get(), policy_);
    answering_ = std::thread([this] { answer_until_stopped(); });
  } catch (
      const std::system_error&) { // no thread or descriptor is left: the program runs already, and connects nothing
    connections_.reset();
  }
}

void denied_calls::answer_until_stopped() {
  while (listener_) {
    pollfd both[]{{listener_.get(), POLLIN, 0}, {stop_.get(), POLLIN, 0}};
    if (::poll(both, 2, -1) < 0 && errno != EINTR) return;
    if (both[1].revents != 0) return;
    if (both[0].revents != 0) (void)answer(both[0].revents);
  }
}

void denied_calls::respond() {
  if (answering_.joinable()) return;
  // A limit per call of this function: a program that makes denied calls without end must not delay a deadline.
  constexpr int most = 64;
  for (int i = 0; i < most && listener_ && answer_one(); ++i) {}
}

/// Never blocks: it receives only after poll(2) reported a notification, and no other process receives from this
/// descriptor.
bool denied_calls::answer_one() {
  pollfd one{listener_.get(), POLLIN, 0};
  return ::poll(&one, 1, 0) > 0 && answer(one.revents);
}

bool denied_calls::answer(int events) {
  if ((events & POLLIN) == 0) { // no process is left under the filter
    listener_ = {};
    return false;
  }
  seccomp_notif asked{};
  if (::ioctl(listener_.get(), SECCOMP_IOCTL_NOTIF_RECV, &asked) != 0) return errno == ENOENT || errno == EINTR;
  seccomp::data call{};
  std::memcpy(static_cast<void*>(&call), &asked.data, sizeof call);
  const std::uint32_t plain = seccomp::evaluate(plain_, call).error_number();
  const int refusal = plain != 0 ? static_cast<int>(plain) : EPERM;
  seccomp_notif_resp said{};
  said.id = asked.id;
  if (connections_ && asked.data.nr == SYS_connect) {
    const std::optional<int> made = connections_->respond(asked);
    if (!made) return true; // a worker answers
    said.error = -*made;
  } else said.error = -served_.respond(listener_.get(), asked).value_or(refusal);
  // ENOENT: a signal killed the calling thread, or interrupted it; in the second case it repeats the call.
  const bool is_sent = ::ioctl(listener_.get(), SECCOMP_IOCTL_NOTIF_SEND, &said) == 0;
  if (!is_sent || said.error != -refusal) return true;
  const std::lock_guard lock(mutex_);
  ++times_[call.nr];
  return true;
}

std::vector<denial> denied_calls::all() const {
  std::vector<denial> out;
  const std::lock_guard lock(mutex_);
  for (const auto& [number, times] : times_) {
    const std::string_view name = seccomp::name_of(cpu_, static_cast<std::uint32_t>(number));
    out.push_back({denial::source::seccomp, name.empty() ? "#" + std::to_string(number) : std::string(name), times});
  }
  return out;
}

} // namespace cordon::linux_shim
