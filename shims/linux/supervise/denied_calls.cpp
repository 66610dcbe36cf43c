// SPDX-License-Identifier: BSL-1.0
#include "denied_calls.hpp"

#include <cordon/backend/seccomp/evaluate.hpp>
#include <cordon/backend/seccomp/lookup.hpp>
#include <cordon/run/resolve.hpp>

#include <linux/seccomp.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <sys/socket.h>

#include <cerrno>
#include <cstring>
#include <string>

namespace cordon::linux_shim {

static_assert(sizeof(seccomp_data) == sizeof(seccomp::data));

denied_calls::denied_calls(const confinement& how, seccomp::arch cpu, const loaded_policy& policy)
    : plain_(static_cast<const seccomp::insn*>(how.filter), how.filter_length), served_(policy), cpu_(cpu) {
  renew();
}

void denied_calls::renew() {
  int ends[2];
  if (::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0)
    throw refused(std::string("cannot make a pair of sockets: ") + std::strerror(errno));
  our_end_ = linux_shim::descriptor(ends[0]), childs_end_ = linux_shim::descriptor(ends[1]);
}

void denied_calls::begin() {
  childs_end_ = {};
  char byte = 0;
  iovec text{&byte, 1};
  alignas(cmsghdr) char more[CMSG_SPACE(sizeof(int))];
  msghdr message{};
  message.msg_iov = &text, message.msg_iovlen = 1;
  message.msg_control = more, message.msg_controllen = sizeof more;
  if (::recvmsg(our_end_.get(), &message, MSG_DONTWAIT | MSG_CMSG_CLOEXEC) == 1)
    if (const cmsghdr* c = CMSG_FIRSTHDR(&message); c != nullptr && c->cmsg_type == SCM_RIGHTS) {
      int fd = -1;
      std::memcpy(&fd, CMSG_DATA(c), sizeof fd);
      listener_ = linux_shim::descriptor(fd);
    }
  our_end_ = {};
  seen_ = static_cast<bool>(listener_);
}

void denied_calls::respond() {
  // A limit per call of this function: a program that makes denied calls without end must not delay a deadline.
  constexpr int most = 64;
  for (int i = 0; i < most && listener_ && answer_one(); ++i) {}
}

/// Never blocks: it receives only after poll(2) reported a notification, and no other process receives from this
/// descriptor.
bool denied_calls::answer_one() {
  pollfd one{listener_.get(), POLLIN, 0};
  if (::poll(&one, 1, 0) <= 0) return false;
  if ((one.revents & POLLIN) == 0) return listener_ = {}, false; // no process is left under the filter
  seccomp_notif asked{};
  if (::ioctl(listener_.get(), SECCOMP_IOCTL_NOTIF_RECV, &asked) != 0) return errno == ENOENT || errno == EINTR;
  seccomp::data call{};
  std::memcpy(static_cast<void*>(&call), &asked.data, sizeof call);
  const std::uint32_t plain = seccomp::evaluate(plain_, call).error_number();
  const int refusal = plain != 0 ? static_cast<int>(plain) : EPERM;
  seccomp_notif_resp said{};
  said.id = asked.id;
  said.error = -served_.respond(listener_.get(), asked).value_or(refusal);
  // ENOENT: a signal killed the calling thread, or interrupted it; in the second case it repeats the call.
  const bool told = ::ioctl(listener_.get(), SECCOMP_IOCTL_NOTIF_SEND, &said) == 0;
  if (told && said.error == -refusal) ++times_[call.nr];
  return true;
}

std::vector<denial> denied_calls::all() const {
  std::vector<denial> out;
  for (const auto& [number, times] : times_) {
    const std::string_view name = seccomp::name_of(cpu_, static_cast<std::uint32_t>(number));
    out.push_back({denial::source::seccomp, name.empty() ? "#" + std::to_string(number) : std::string(name), times});
  }
  return out;
}

} // namespace cordon::linux_shim
