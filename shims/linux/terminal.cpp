// SPDX-License-Identifier: BSL-1.0
#include "terminal.hpp"

#include <cordon/run/prepare.hpp>

#include <fcntl.h>
#include <sys/ioctl.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <string>
#include <utility>

namespace cordon::linux_shim {
namespace {

constexpr int person = 0; // stdin

[[noreturn]] void refuse() {
  throw refused(std::string("cannot make a terminal for the program: ") + std::strerror(errno));
}

} // namespace

std::unique_ptr<terminal> terminal::make() {
  termios modes{};
  if (::isatty(1) == 0 || ::tcgetattr(person, &modes) != 0 || ::tcgetpgrp(person) != ::getpgrp()) return nullptr;
  descriptor outer(::posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC | O_NONBLOCK));
  if (!outer || ::grantpt(outer.get()) != 0 || ::unlockpt(outer.get()) != 0) refuse();
  // Not by name: another devpts may be mounted where the name leads to (ioctl_tty(2)).
  descriptor inner(::ioctl(outer.get(), TIOCGPTPEER, O_RDWR | O_NOCTTY | O_CLOEXEC));
  if (!inner || ::tcsetattr(inner.get(), TCSANOW, &modes) != 0) refuse();
  return std::unique_ptr<terminal>(new terminal(std::move(outer), std::move(inner), modes));
}

terminal::terminal(descriptor outer, descriptor inner, const termios& modes)
    : outer_(std::move(outer)), inner_(std::move(inner)), modes_(modes) {
  resize();
  termios raw = modes;
  ::cfmakeraw(&raw);
  ::tcsetattr(person, TCSADRAIN, &raw);
}

terminal::~terminal() { ::tcsetattr(person, TCSADRAIN, &modes_); }

descriptor terminal::outer() const { return descriptor(::fcntl(outer_.get(), F_DUPFD_CLOEXEC, 3)); }

void terminal::resize() const {
  winsize size{};
  if (::ioctl(person, TIOCGWINSZ, &size) == 0) ::ioctl(outer_.get(), TIOCSWINSZ, &size);
}

} // namespace cordon::linux_shim
