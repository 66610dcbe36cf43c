// SPDX-License-Identifier: BSL-1.0
#include "streams.hpp"

#include <cordon/run/reasons.hpp>
#include <cordon/run/refused.hpp>

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstddef>
#include <cstring>
#include <string>
#include <string_view>
#include <utility>

namespace cordon::macos_shim {
namespace {

using shim::descriptor;

/// Reads one stream until its end, or until `stop` is closed. Then up to 64 KiB that the pipe already holds are the
/// program's. Later bytes may come from another process.
struct stream_reader {
  int from, stop;
  std::size_t left = std::size_t{64} << 10;

  std::size_t operator()(char* to, std::size_t room) {
    for (;;) {
      pollfd both[]{{from, POLLIN, 0}, {stop, POLLIN, 0}};
      if (::poll(both, 2, -1) < 0) continue;
      const bool last = both[1].revents != 0;
      if (last && (both[0].revents == 0 || left == 0)) return 0;
      const ssize_t n = ::read(from, to, last ? std::min(room, left) : room);
      if (n < 0 && errno == EINTR) continue;
      if (n <= 0) return 0;
      if (last) left -= static_cast<std::size_t>(n);
      return static_cast<std::size_t>(n);
    }
  }
};

/// Writes the text and closes the pipe. Stops when the program stops reading, or when `stop` is closed.
void write_input(descriptor to, int stop, std::string_view text) {
  sigset_t broken; // SIGPIPE: the program need not read
  sigemptyset(&broken);
  sigaddset(&broken, SIGPIPE);
  ::pthread_sigmask(SIG_BLOCK, &broken, nullptr);
  while (!text.empty()) {
    pollfd both[]{{to.get(), POLLOUT, 0}, {stop, POLLIN, 0}};
    if (::poll(both, 2, -1) < 0) continue;
    if (both[1].revents != 0) return;
    const ssize_t n = ::write(to.get(), text.data(), text.size());
    if (n < 0 && errno != EINTR && errno != EAGAIN) return;
    if (n > 0) text.remove_prefix(static_cast<std::size_t>(n));
  }
}

/// Returns: the caller's stdin, or an empty descriptor. A terminal is not passed on: the program could read what the
/// user types for another program, or push input into it. Sockets and directories could reach past the profile.
[[nodiscard]] descriptor callers_input() {
  struct stat st {};
  if (::fstat(STDIN_FILENO, &st) != 0 || (!S_ISREG(st.st_mode) && !S_ISFIFO(st.st_mode))) return {};
  return descriptor(::fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 3));
}

} // namespace

void streams::give_input(const input& in, command& what) {
  switch (in.from) {
  case input::source::bytes: {
    shim::pipe_ends ends = shim::make_pipe();
    input_ = std::move(ends.from);
    input_writes_ = std::move(ends.to);
    break;
  }
  case input::source::file:
    input_ = descriptor(::open(in.text.c_str(), O_RDONLY | O_CLOEXEC | O_NOCTTY));
    if (!input_) throw refused::because<reasons::input_not_opened>(in.text, std::strerror(errno));
    break;
  case input::source::caller: input_ = callers_input(); break;
  case input::source::nothing:
  case input::source::pipe: break; // refused before: check_no_input_pipe
  }
  if (!input_) input_ = descriptor(::open("/dev/null", O_RDONLY | O_CLOEXEC));
  what.stdio[0] = input_.get();
}

void streams::open(const input& in, command& what) {
  stop_ = shim::make_pipe();
  output_ = shim::make_pipe();
  error_ = shim::make_pipe();
  what.stdio[1] = output_.to.get();
  what.stdio[2] = error_.to.get();
  give_input(in, what);
}

void streams::forget_childs_ends() {
  output_.to = {};
  error_.to = {};
  input_ = {};
}

void streams::begin_output(const std::function<void()>& wake) {
  captured_.emplace(wake);
  const int stop = stop_.from.get();
  captured_->begin(stream_reader{output_.from.get(), stop}, stream_reader{error_.from.get(), stop});
}

void streams::begin_input(const input& in) {
  if (!input_writes_) return;
  ::fcntl(input_writes_.get(), F_SETFL, O_NONBLOCK);
  writer_ = std::thread([to = std::move(input_writes_), stop = stop_.from.get(), &text = in.text]() mutable {
    write_input(std::move(to), stop, text);
  });
}

void streams::end() {
  stop();
  input_writes_ = {};
  if (writer_.joinable()) writer_.join();
  captured_.reset();
}

} // namespace cordon::macos_shim
