// SPDX-License-Identifier: BSL-1.0
#include "connect_workers.hpp"

#include "../child/raw_syscall.hpp"

#include <fcntl.h>
#include <linux/seccomp.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <string>
#include <system_error>
#include <thread>
#include <utility>

namespace cordon::linux_shim {

namespace {

constexpr std::uint32_t unchanged = ~std::uint32_t{0};

[[nodiscard]] __user_cap_header_struct of_this_thread() { return {_LINUX_CAPABILITY_VERSION_3, 0}; }

} // namespace

acting_as::acting_as(user_and_group who) {
  if (who.user == unchanged || ::geteuid() != 0) return;
  acts_ = who.user == ::geteuid() && who.group == ::getegid() ? drop_capabilities() : become(who);
}

acting_as::~acting_as() {
  __user_cap_header_struct head = of_this_thread();
  if (dropped_) (void)raw_syscall(SYS_capset, &head, capabilities_.data());
  if (!changed_user_) return;
  (void)raw_syscall(SYS_setresuid, unchanged, 0, unchanged); // gives the capabilities back (capabilities(7))
  (void)raw_syscall(SYS_setresgid, unchanged, ::getgid(), unchanged);
  (void)raw_syscall(SYS_setgroups, groups_.size(), groups_.data());
}

// By number: the C library's functions change all threads.
bool acting_as::become(user_and_group who) {
  const long count = raw_syscall(SYS_getgroups, 0, nullptr);
  groups_.resize(count > 0 ? static_cast<std::size_t>(count) : 0);
  if (count > 0 && raw_syscall(SYS_getgroups, count, groups_.data()) != count) return false;
  changed_user_ = true;
  return raw_syscall(SYS_setgroups, 0, nullptr) == 0 &&
         raw_syscall(SYS_setresgid, unchanged, who.group, unchanged) == 0 &&
         (who.user == 0 ? drop_capabilities() : raw_syscall(SYS_setresuid, unchanged, who.user, unchanged) == 0);
}

// Root's program has no capability in the machine's user namespace: files that their modes close to it must stay closed.
bool acting_as::drop_capabilities() {
  __user_cap_header_struct head = of_this_thread();
  if (raw_syscall(SYS_capget, &head, capabilities_.data()) != 0) return false;
  auto none = capabilities_;
  for (__user_cap_data_struct& half : none) half.effective = 0;
  return dropped_ = raw_syscall(SYS_capset, &head, none.data()) == 0;
}

int make(const connection& wanted) {
  const acting_as program(wanted.owner);
  if (!program) return EPERM;
  sockaddr_un name{};
  const auto* to = reinterpret_cast<const sockaddr*>(&wanted.to);
  socklen_t size = wanted.size;
  if (wanted.file) {
    name.sun_family = AF_UNIX;
    const std::string path = "/proc/self/fd/" + std::to_string(wanted.file.get());
    std::memcpy(name.sun_path, path.c_str(), path.size() + 1);
    to = reinterpret_cast<const sockaddr*>(&name);
    size = sizeof name;
  }
  return ::connect(wanted.socket.get(), to, size) == 0 ? 0 : errno;
}

std::shared_ptr<connect_workers> connect_workers::make(int listener) {
  descriptor copy(::fcntl(listener, F_DUPFD_CLOEXEC, 3));
  if (!copy) throw std::system_error(errno, std::generic_category(), "no descriptor");
  return std::shared_ptr<connect_workers>(new connect_workers(std::move(copy)));
}

bool connect_workers::take(connection wanted) {
  const std::lock_guard lock(mutex_);
  constexpr std::chrono::milliseconds patience{250};
  if (idle_ <= waiting_.size() && threads_ < most) try {
      std::thread([all = shared_from_this()] { work(all); }).detach();
      ++threads_;
    } catch (const std::system_error&) {
      if (threads_ == 0) return false;
    }
  else if (idle_ == 0 && std::chrono::steady_clock::now() - moved_ > patience) return false;
  waiting_.push_back(std::move(wanted));
  changed_.notify_one();
  return true;
}

bool connect_workers::are_busy() {
  const std::lock_guard lock(mutex_);
  return idle_ != threads_ || !waiting_.empty();
}

void connect_workers::end() {
  const std::lock_guard lock(mutex_);
  ended_ = true;
  waiting_.clear();
  changed_.notify_all();
}

void connect_workers::work(const std::shared_ptr<connect_workers>& all) {
  std::unique_lock lock(all->mutex_);
  while (true) {
    ++all->idle_;
    all->changed_.wait(lock, [&] { return all->ended_ || !all->waiting_.empty(); });
    --all->idle_;
    if (all->waiting_.empty()) break;
    const connection wanted = std::move(all->waiting_.front());
    all->waiting_.pop_front();
    all->moved_ = std::chrono::steady_clock::now();
    lock.unlock();
    seccomp_notif_resp said{};
    said.id = wanted.id;
    said.error = -linux_shim::make(wanted);
    (void)::ioctl(all->listener_.get(), SECCOMP_IOCTL_NOTIF_SEND, &said); // ENOENT: the caller was killed
    lock.lock();
    all->moved_ = std::chrono::steady_clock::now();
  }
  --all->threads_;
}

} // namespace cordon::linux_shim
