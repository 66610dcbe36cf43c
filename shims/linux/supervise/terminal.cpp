// SPDX-License-Identifier: BSL-1.0
#include "terminal.hpp"

#include <cordon/linux/prepare.hpp>

#include <fcntl.h>
#include <sys/ioctl.h>

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <string>
#include <utility>

namespace cordon::linux_shim {
namespace {

[[noreturn]] void refuse() {
  throw refused(std::string("cannot make a terminal for the program: ") + std::strerror(errno));
}

/// Works in the background too: otherwise SIGTTOU stops a process that sets modes there (tcsetattr(3)).
void set_modes(int fd, const termios& to) {
  sigset_t stopping, before;
  ::sigemptyset(&stopping);
  ::sigaddset(&stopping, SIGTTOU);
  ::sigprocmask(SIG_BLOCK, &stopping, &before);
  ::tcsetattr(fd, TCSANOW, &to);
  ::sigprocmask(SIG_SETMASK, &before, nullptr);
}

} // namespace

std::unique_ptr<terminal> terminal::make() {
  // Input is passed through only if stdin and stdout both are terminals. A terminal on stdin alone is read in lines.
  int person = ::isatty(0) != 0 && ::isatty(1) != 0 ? 0 : 1;
  while (person < 3 && ::isatty(person) == 0) ++person;
  termios modes{};
  if (person == 3 || ::tcgetattr(person, &modes) != 0 || ::tcgetpgrp(person) != ::getpgrp()) return nullptr;
  descriptor outer(::posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC | O_NONBLOCK));
  if (!outer || ::grantpt(outer.get()) != 0 || ::unlockpt(outer.get()) != 0) refuse();
  // Not by name: another devpts may be mounted at the path (ioctl_tty(2)).
  descriptor inner(::ioctl(outer.get(), TIOCGPTPEER, O_RDWR | O_NOCTTY | O_CLOEXEC));
  // Without input the user's terminal keeps its modes, and itself turns each newline into carriage return and newline.
  termios own = modes;
  if (person != 0) own.c_oflag &= ~static_cast<tcflag_t>(OPOST);
  if (!inner || ::tcsetattr(inner.get(), TCSANOW, &own) != 0) refuse();
  return std::unique_ptr<terminal>(new terminal(person, std::move(outer), std::move(inner), modes));
}

terminal::terminal(int person, descriptor outer, descriptor inner, const termios& modes)
    : person_(person), outer_(std::move(outer)), inner_(std::move(inner)), modes_(modes) {
  resize();
  if (!takes_keys()) return;
  termios raw = modes;
  ::cfmakeraw(&raw);
  set_modes(person_, raw);
}

terminal::~terminal() {
  if (takes_keys()) set_modes(person_, modes_);
}

descriptor terminal::outer() const { return descriptor(::fcntl(outer_.get(), F_DUPFD_CLOEXEC, 3)); }

void terminal::resize() const {
  winsize size{};
  if (::ioctl(person_, TIOCGWINSZ, &size) == 0) ::ioctl(outer_.get(), TIOCSWINSZ, &size);
}

} // namespace cordon::linux_shim
