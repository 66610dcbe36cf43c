// SPDX-License-Identifier: BSL-1.0
#include "terminal.hpp"

#include <cordon/linux/prepare.hpp>
#include <cordon/run/reasons.hpp>

#include <fcntl.h>

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <string>
#include <utility>

namespace cordon::linux_shim {
namespace {

[[noreturn]] void refuse() { throw refused::because<reasons::no_terminal>(std::strerror(errno)); }

/// Works in the background too: otherwise SIGTTOU stops a process that sets modes there (tcsetattr(3)).
void set_modes(int fd, const termios& to) {
  sigset_t stopping, before;
  ::sigemptyset(&stopping);
  ::sigaddset(&stopping, SIGTTOU);
  ::sigprocmask(SIG_BLOCK, &stopping, &before);
  ::tcsetattr(fd, TCSANOW, &to);
  ::sigprocmask(SIG_SETMASK, &before, nullptr);
}

[[nodiscard]] bool is_in_foreground(int fd) { return ::tcgetpgrp(fd) == ::getpgrp(); }

[[nodiscard]] bool is_open(const descriptor& person, termios& modes) {
  return person && ::tcgetattr(person.get(), &modes) == 0;
}

} // namespace

std::unique_ptr<terminal> terminal::behind_streams() {
  // Input is passed through at once only if stdin and stdout both are terminals.
  const bool both = ::isatty(0) != 0 && ::isatty(1) != 0;
  int which = both ? 0 : 1;
  while (which < 3 && ::isatty(which) == 0) ++which;
  termios modes{};
  descriptor person(which < 3 ? ::fcntl(which, F_DUPFD_CLOEXEC, 3) : -1);
  if (!is_open(person, modes) || !is_in_foreground(person.get())) return nullptr;
  return std::unique_ptr<terminal>(new terminal(std::move(person), both ? input::at_once : input::never, modes));
}

std::unique_ptr<terminal> terminal::behind_controlling() {
  termios modes{};
  descriptor person(::open("/dev/tty", O_RDWR | O_NOCTTY | O_CLOEXEC));
  if (!is_open(person, modes)) return nullptr;
  return std::unique_ptr<terminal>(new terminal(std::move(person), input::on_demand, modes));
}

terminal::terminal(descriptor person, input takes, const termios& modes)
    : person_(std::move(person)), takes_(takes), modes_(modes) {
  outer_ = descriptor(::posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC | O_NONBLOCK));
  if (!outer_ || ::grantpt(outer_.get()) != 0 || ::unlockpt(outer_.get()) != 0) refuse();
  // Not by name: another devpts may be mounted at the path (ioctl_tty(2)).
  inner_ = descriptor(::ioctl(outer_.get(), TIOCGPTPEER, O_RDWR | O_NOCTTY | O_CLOEXEC));
  // An output's user's terminal keeps its modes, and itself turns each newline into carriage return and newline.
  termios own = modes;
  if (takes == input::never) own.c_oflag &= ~static_cast<tcflag_t>(OPOST);
  if (!inner_ || ::tcsetattr(inner_.get(), TCSANOW, &own) != 0) refuse();
  resize();
  if (takes == input::at_once) take_keys();
}

terminal::~terminal() { give_keys_back(); }

descriptor terminal::outer() const { return descriptor(::fcntl(outer_.get(), F_DUPFD_CLOEXEC, 3)); }

descriptor terminal::user() const { return descriptor(::fcntl(person_.get(), F_DUPFD_CLOEXEC, 3)); }

bool terminal::take_keys() {
  if (!is_in_foreground(person_.get())) return false;
  if (!raw_) ::tcgetattr(person_.get(), &modes_);
  raw_modes_ = modes_;
  ::cfmakeraw(&raw_modes_);
  if (takes_ == input::on_demand) raw_modes_.c_oflag = modes_.c_oflag;
  set_modes(person_.get(), raw_modes_);
  return raw_ = true;
}

bool terminal::give_keys_back() {
  if (!std::exchange(raw_, false)) return false;
  set_modes(person_.get(), modes_);
  return true;
}

void terminal::follow_output() {
  termios inner{};
  if (!raw_ || takes_ != input::on_demand || ::tcgetattr(outer_.get(), &inner) != 0) return;
  const tcflag_t wanted = (modes_.c_oflag & ~static_cast<tcflag_t>(OPOST)) | (inner.c_oflag & OPOST);
  if (std::exchange(raw_modes_.c_oflag, wanted) != wanted) set_modes(person_.get(), raw_modes_);
}

bool terminal::interrupts(std::string_view keys) const {
  termios inner{};
  if (::tcgetattr(outer_.get(), &inner) != 0 || (inner.c_lflag & ISIG) == 0) return false;
  for (const int which : {VINTR, VQUIT})
    if (inner.c_cc[which] != _POSIX_VDISABLE && keys.find(static_cast<char>(inner.c_cc[which])) != keys.npos)
      return true;
  return false;
}

void terminal::end_input() const {
  termios inner{};
  if (::tcgetattr(outer_.get(), &inner) != 0) return;
  (void)!::write(outer_.get(), &inner.c_cc[VEOF], 1);
}

void terminal::resize() const {
  winsize size{};
  if (::ioctl(person_.get(), TIOCGWINSZ, &size) == 0) ::ioctl(outer_.get(), TIOCSWINSZ, &size);
}

} // namespace cordon::linux_shim
