// SPDX-License-Identifier: BSL-1.0
#include "streams.hpp"

#include "../../posix/pipe.hpp"
#include "../files/path_resolver.hpp"
#include "../files/reopen_read_only.hpp"
#include "stream_file.hpp"

#include <cordon/gap/run_gap_types.hpp>
#include <cordon/linux/prepare.hpp>
#include <cordon/run/reasons.hpp>

#include <fcntl.h>
#include <sys/ioctl.h>

#include <cerrno>
#include <cstring>

namespace cordon::linux_shim {
namespace {

constexpr const char* names[]{"stdin", "stdout", "stderr"};

/// Is stdin a pipe that the caller may read?
[[nodiscard]] bool is_input_pipe() {
  const int flags = ::fcntl(0, F_GETFL);
  return flags >= 0 && (flags & O_ACCMODE) != O_WRONLY && is_pipe(0);
}

[[nodiscard]] bool relays_input(const run_request& request, const loaded_policy& p) {
  return request.in.relayed || p.profile == profile::os_hardened;
}

} // namespace

void state_streams(std::vector<reported_gap>& to, const run_request& request, const loaded_policy& p) {
  if (request.in.from != cordon::input::source::caller || relays_input(request, p) || !is_input_pipe()) return;
  to.push_back(gap_of(run_gaps::stdio_reopen, "0"));
}

streams::streams(const loaded_policy& p, const run_request& request, own_terminals own, hold by, report& to,
                 command& what)
    : own_(own), by_(by) {
  if (own.controlling != nullptr) {
    what.terminal = own.controlling->inner();
    what.in_background = own.controlling->takes() == terminal::input::on_demand;
  }
  relays_input_ = relays_input(request, p) && is_input_pipe();
  has_limit_ = p.limits.has(limit::output);
  if (request.in.from != cordon::input::source::caller) give_input(p, request.in, what);
  else pass_stream(p, 0, false, what);
  for (const stream s : {stream::output, stream::error}) {
    const int which = s == stream::output ? 1 : 2;
    if (s == stream::error)
      listeners_[2] = [this, &request](std::string_view piece) {
        denials_.add(piece);
        if (request.on_output) request.on_output(stream::error, piece);
      };
    else if (request.on_output)
      listeners_[static_cast<std::size_t>(which)] = [&request, s](std::string_view piece) {
        request.on_output(s, piece);
      };
    if (!request.keep) {
      pass_stream(p, which, p.limits.has(limit::output) || request.on_output, what);
      continue;
    }
    captured_output& kept = s == stream::output ? to.output : to.error;
    kept = captured_output(*request.keep);
    relay r = make_pipe(which, what);
    r.keep = &kept;
    relays_[static_cast<std::size_t>(which)] = std::move(r);
  }
}

void streams::give(int which, descriptor end, command& what) {
  const auto at = static_cast<std::size_t>(which);
  childs_[at] = std::move(end);
  what.stdio[at] = childs_[at].get();
}

/// Makes a pipe, with one end for the program and one for cordon.
relay streams::make_pipe(int which, command& what) {
  shim::pipe_ends ends = shim::make_pipe();
  const bool inward = which == 0;
  descriptor ours = std::move(inward ? ends.to : ends.from);
  give(which, std::move(inward ? ends.from : ends.to), what);
  ::fcntl(ours.get(), F_SETFL, O_NONBLOCK);
  if (inward) return {.to = std::move(ours), .inward = true};
  // A large pipe needs fewer reads. The kernel limits the pages per user (pipe(7)); a small pipe works as well.
  constexpr int large = 1 << 20;
  ::fcntl(ours.get(), F_SETPIPE_SZ, large);
  const auto& listener = listeners_[static_cast<std::size_t>(which)];
  hears_errors_ |= which == 2;
  return {.from = std::move(ours), .counted = true, .listener = listener ? &listener : nullptr};
}

void streams::give_input(const loaded_policy& p, const cordon::input& in, command& what) {
  using source = cordon::input::source;
  if (in.from != source::file) {
    relays_[0] = make_pipe(0, what);
    if (in.from == source::pipe) input_ = std::move(relays_[0].to);
    relays_[0].left = in.text;
    if (in.text.empty()) relays_[0] = relay(); // end of file from the start
    return;
  }
  descriptor opened(::open(in.text.c_str(), O_RDONLY | O_CLOEXEC | O_NOCTTY));
  if (!opened) throw refused::because<reasons::input_not_opened>(in.text, std::strerror(errno));
  const stream_file file(p, opened.get());
  if (!file.is_regular()) throw refused::because<reasons::input_not_regular>(in.text);
  if (!file.is_reduced() && by_ == hold::view && file.is_read_only())
    return pass_read_only(file, 0, opened.get(), what);
  if (!file.is_reduced()) return give(0, std::move(opened), what);
  relays_[0] = make_pipe(0, what);
  relays_[0].from = std::move(opened);
}

streams::~streams() {
  for (const reopened& r : reopened_)
    if (const off_t now = ::lseek(r.programs.get(), 0, SEEK_CUR); now >= 0 && now != r.start)
      ::lseek(r.callers.get(), now, SEEK_SET);
  int unread = 0;
  if (ahead_.pipe && ::ioctl(ahead_.pipe.get(), FIONREAD, &unread) == 0 && unread > 0)
    ::lseek(ahead_.file.get(), -unread, SEEK_CUR);
}

void streams::pass_stream(const loaded_policy& p, int which, bool through, command& what) {
  const stream_file file(p, which);
  if (!file.is_open()) return;
  if (by_ == hold::nothing) {
    if (through) pass_through(which, which, what);
    return;
  }
  if (file.is_place()) throw refused::because<reasons::stream_directory>(names[which]);
  if (file.is_object()) throw refused::because<reasons::stream_no_file>(names[which]);
  if (file.is_wrong_end()) return give_wrong_end(which, through, what);
  if (::isatty(which) != 0) return pass_terminal(which, what);
  const bool wanted = through || (which == 0 && relays_input_), relayed = file.is_relayed();
  if (!wanted && !relayed && by_ == hold::view && file.is_read_only()) return pass_read_only(file, which, which, what);
  if (wanted || (relayed && !(which == 2 && join(what)))) pass_through(which, which, what);
}

/// The same end of a pipe of the program's own: it fails as the caller's would, and leads nowhere. Output that must be
/// counted or heard is taken, and dropped.
void streams::give_wrong_end(int which, bool through, command& what) {
  if (through && which != 0) {
    relay r = make_pipe(which, what);
    r.to = descriptor(::open("/dev/null", O_WRONLY | O_CLOEXEC));
    relays_[static_cast<std::size_t>(which)] = std::move(r);
    return;
  }
  shim::pipe_ends ends = shim::make_pipe();
  give(which, std::move(which == 0 ? ends.to : ends.from), what);
}

void streams::pass_read_only(const stream_file& file, int which, int fd, command& what) {
  descriptor opened = reopen_read_only(fd);
  if (!opened) return pass_through(which, fd, what);
  what.reopenable[static_cast<std::size_t>(which)] = file.allows(right::read);
  descriptor same(::fcntl(opened.get(), F_DUPFD_CLOEXEC, 3)), original(::fcntl(fd, F_DUPFD_CLOEXEC, 3));
  reopened_.push_back({std::move(original), std::move(same), ::lseek(opened.get(), 0, SEEK_CUR)});
  give(which, std::move(opened), what);
}

/// Two pipes would lose the order between the two streams.
bool streams::join(command& what) {
  struct stat output {
  }, error{};
  if (!relays_[1].from || what.stdio[1] < 0 || ::fstat(1, &output) != 0 || ::fstat(2, &error) != 0 ||
      output.st_dev != error.st_dev || output.st_ino != error.st_ino)
    return false;
  what.stdio[2] = what.stdio[1];
  return true;
}

void streams::pass_through(int which, int fd, command& what) {
  relay r = make_pipe(which, what);
  if (which == 0) {
    r.from = descriptor(::fcntl(fd, F_DUPFD_CLOEXEC, 3));
    // What lies in the pipe when the program ends was read from the file, but not by the program.
    if (::lseek(fd, 0, SEEK_CUR) >= 0)
      ahead_ = {descriptor(::fcntl(fd, F_DUPFD_CLOEXEC, 3)), descriptor(::fcntl(what.stdio[0], F_DUPFD_CLOEXEC, 3))};
  } else r.to = unwaiting(fd);
  r.piped = which != 0 && is_pipe(r.to.get());
  r.spliced = r.piped && r.listener == nullptr && !has_limit_;
  notice_reader(r); // one that is gone already: the program's first write fails
  relays_[static_cast<std::size_t>(which)] = std::move(r);
}

void streams::pass_terminal(int which, command& what) {
  const auto at = static_cast<std::size_t>(which);
  const pid_t foreground = ::tcgetpgrp(which);
  if (which == 0 && own_.controlling != nullptr && foreground == ::getpgrp())
    return void(what.stdio[0] = own_.controlling->inner());
  if (which != 0 && own_.output != nullptr) {
    what.stdio[at] = own_.output->inner();
    relay& shown = relays_[of_output];
    if (!shown.to || which == 1) shown.to = unwaiting(which);
    // The terminal's output does not show which of the two streams it came from.
    if (listeners_[at] && shown.listener == nullptr) shown.listener = &listeners_[at];
    return;
  }
  // All processes on a terminal share its modes, and its input goes to the foreground. From the background only output
  // is passed through. A terminal that does not control this process has no foreground for it (tcgetpgrp(3)).
  if (which != 0 || foreground < 0 || foreground == ::getpgrp()) return pass_through(which, which, what);
  relays_[0] = make_pipe(0, what);
  relays_[0] = relay(); // end of file from the start; not /dev/null, whose mode root could change
}

relays streams::take() {
  const auto begin = [this](relay_index which, const terminal& from) {
    relay& shown = relays_[which];
    shown.from = from.outer();
    if (!shown.to) shown.to = unwaiting(from.user().get());
    shown.counted = true;
  };
  if (own_.controlling != nullptr)
    begin(own_.controlling == own_.output ? of_output : of_controlling, *own_.controlling);
  if (own_.output != nullptr && own_.output != own_.controlling && relays_[of_output].to)
    begin(of_output, *own_.output);
  return std::move(relays_);
}

} // namespace cordon::linux_shim
