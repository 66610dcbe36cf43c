// SPDX-License-Identifier: BSL-1.0
#include "streams.hpp"

#include "../files/reopen_read_only.hpp"

#include <cordon/linux/prepare.hpp>

#include <fcntl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstring>

namespace cordon::linux_shim {
namespace {

constexpr const char* names[]{"stdin", "stdout", "stderr"};

/// Returns: the kernel's name of a descriptor's file: a path, or a name such as "pipe:[7]". Empty without one.
[[nodiscard]] std::string name_of(int fd) {
  char place[PATH_MAX];
  const ssize_t size = ::readlink(("/proc/self/fd/" + std::to_string(fd)).c_str(), place, sizeof place);
  return {place, static_cast<std::size_t>(std::max<ssize_t>(size, 0))};
}

/// Does the policy allow the operation on the file behind the descriptor?
[[nodiscard]] bool allows(const loaded_policy& p, right wanted, int fd) {
  const std::string name = name_of(fd);
  return name.starts_with('/') && rights::from_bits(p.files().lookup(name)).has(wanted);
}

/// Does the policy grant the file less than a directory around it?
[[nodiscard]] bool is_reduced(const loaded_policy& p, int fd) {
  const std::string file = name_of(fd);
  if (!file.starts_with('/')) return false;
  const auto files = p.files();
  const auto own = files.lookup(file);
  for (std::string_view up = file; up != "/";) {
    up = path::parent(up);
    if ((files.lookup(up) & ~own) != 0) return true;
  }
  return false;
}

/// Is every use of the socket allowed by the policy? An internet socket can reach every host and accept connections
/// from every host. A unix socket can receive descriptors and reach paths that no grant contains.
[[nodiscard]] bool allows_socket(const loaded_policy& p, int fd) {
  int family = AF_UNSPEC;
  socklen_t size = sizeof family;
  const bool internet =
      ::getsockopt(fd, SOL_SOCKET, SO_DOMAIN, &family, &size) == 0 && (family == AF_INET || family == AF_INET6);
  return internet && p.level >= level::network && p.hosts().is_any() && p.is_any<axis_id::sockets>();
}

/// A file in memory: a program that holds one can seal it, or execute it although the policy allows no execution.
/// memfd_create(2).
[[nodiscard]] bool is_memory_file(int fd) {
  const std::string name = name_of(fd);
  return name.starts_with("/memfd:") || name.starts_with("/secretmem");
}

/// A file of nsfs, such as "net:[4026531840]": ioctl(2) on it returns other namespaces. ioctl_ns(2).
[[nodiscard]] bool is_namespace(const struct stat& st, int fd) {
  const std::string name = name_of(fd);
  return S_ISREG(st.st_mode) && !name.starts_with('/') && name.find(":[") != name.npos;
}

/// null, zero, full, random and urandom carry only bytes. Documentation/admin-guide/devices.txt of the kernel.
[[nodiscard]] bool is_plain_device(dev_t device) {
  constexpr unsigned memory = 1;
  const unsigned n = minor(device);
  return major(device) == memory && (n == 3 || n == 5 || n == 7 || n == 8 || n == 9);
}

/// Does the stream go through cordon, whatever the request? Pipes do: /proc/self/fd opens them in the other direction,
/// and neither a one-way descriptor nor Landlock prevents that.
[[nodiscard]] bool is_relayed(const loaded_policy& p, int which, int flags, const struct stat& st) {
  const int way = flags & O_ACCMODE;
  switch (st.st_mode & S_IFMT) {
  case S_IFSOCK: return !allows_socket(p, which);
  case S_IFIFO: return which != 0 && way != O_RDONLY;
  case S_IFREG: return is_reduced(p, which) || is_memory_file(which);
  case S_IFCHR:
    return st.st_uid == ::geteuid() || !is_plain_device(st.st_rdev); // root could change the host device's mode
  case S_IFBLK: return true;
  default: return false;
  }
}

/// Is stdin a pipe that the caller may read?
[[nodiscard]] bool is_input_pipe() {
  const int flags = ::fcntl(0, F_GETFL);
  return flags >= 0 && (flags & O_ACCMODE) != O_WRONLY && is_pipe(0);
}

/// Is the file open for reading alone, and does the policy forbid every change of it? For a file without a name, no
/// process could see a change.
[[nodiscard]] bool is_read_only(const loaded_policy& p, int fd, int flags, const struct stat& st) {
  return S_ISREG(st.st_mode) && st.st_nlink > 0 && (flags & O_ACCMODE) == O_RDONLY && !allows(p, right::write, fd) &&
         !allows(p, right::attributes, fd);
}

[[nodiscard]] bool relays_input(const run_request& request, const loaded_policy& p) {
  return request.in.relayed || p.profile == profile::os_hardened;
}

} // namespace

void state_streams(std::vector<reported_gap>& to, const run_request& request, const loaded_policy& p) {
  if (request.in.from != input::source::caller || relays_input(request, p) || !is_input_pipe()) return;
  to.push_back(
      {gap_kind::unenforced, "stdio.reopen:0",
       "stdin is a pipe of the caller's, which the program can open for writing by /proc/self/fd/0; --stdin relay "
       "gives it one of cordon's"});
}

streams::streams(const loaded_policy& p, const run_request& request, const terminal* own, hold by, report& to,
                 command& what)
    : by_(by) {
  if (own != nullptr && own->takes_keys()) what.terminal = own->inner();
  relays_input_ = relays_input(request, p) && is_input_pipe();
  has_limit_ = p.limits.has(limit::output);
  if (request.in.from != input::source::caller) give_input(p, request.in, what);
  else pass_stream(p, 0, own, false, what);
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
      pass_stream(p, which, own, p.limits.has(limit::output) || request.on_output, what);
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
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) throw refused(std::string("cannot make a pipe: ") + std::strerror(errno));
  const bool inward = which == 0;
  descriptor ours(ends[inward ? 1 : 0]);
  give(which, descriptor(ends[inward ? 0 : 1]), what);
  ::fcntl(ours.get(), F_SETFL, O_NONBLOCK);
  if (inward) return {.to = std::move(ours), .inward = true};
  // A large pipe needs fewer reads. The kernel limits the pages per user (pipe(7)); a small pipe works as well.
  constexpr int large = 1 << 20;
  ::fcntl(ours.get(), F_SETPIPE_SZ, large);
  const auto& listener = listeners_[static_cast<std::size_t>(which)];
  hears_errors_ |= which == 2;
  return {.from = std::move(ours), .counted = true, .listener = listener ? &listener : nullptr};
}

void streams::give_input(const loaded_policy& p, const input& in, command& what) {
  if (in.from != input::source::file) {
    relays_[0] = make_pipe(0, what);
    relays_[0].left = in.text;
    if (in.text.empty()) relays_[0] = relay(); // end of file from the start
    return;
  }
  descriptor file(::open(in.text.c_str(), O_RDONLY | O_CLOEXEC | O_NOCTTY));
  struct stat st {};
  if (!file || ::fstat(file.get(), &st) != 0) throw refused(in.text + ": " + std::strerror(errno));
  if (!S_ISREG(st.st_mode)) throw refused(in.text + " is not a regular file");
  const bool relayed = is_reduced(p, file.get());
  if (!relayed && by_ == hold::view && is_read_only(p, file.get(), O_RDONLY, st))
    return pass_read_only(p, 0, file.get(), what);
  if (!relayed) return give(0, std::move(file), what);
  relays_[0] = make_pipe(0, what);
  relays_[0].from = std::move(file);
}

streams::~streams() {
  for (const reopened& r : reopened_)
    if (const off_t now = ::lseek(r.programs.get(), 0, SEEK_CUR); now >= 0 && now != r.start)
      ::lseek(r.callers.get(), now, SEEK_SET);
}

void streams::pass_stream(const loaded_policy& p, int which, const terminal* own, bool through, command& what) {
  const bool confined = by_ != hold::nothing;
  struct stat st {};
  const int flags = ::fcntl(which, F_GETFL);
  if (flags < 0 || ::fstat(which, &st) != 0) return;
  if (!confined && through) pass_through(which, what);
  if (!confined) return;
  if (S_ISDIR(st.st_mode) || (flags & O_PATH) != 0)
    throw refused(std::string(names[which]) +
                  " is a directory or an O_PATH descriptor: give the program a file, or /dev/null");
  // Descriptors of processes, descriptors, events and the like have no file type (anon_inode_getfile,
  // fs/anon_inodes.c).
  if ((st.st_mode & S_IFMT) == 0 || is_namespace(st, which))
    throw refused(
        std::string(names[which]) +
        " is not a descriptor of a file (such as a pidfd, eventfd or epoll): give the program a file, or /dev/null");
  if (::isatty(which) != 0) return pass_terminal(which, own, what);
  const bool wanted = through || (which == 0 && relays_input_);
  if (!wanted && by_ == hold::view && is_read_only(p, which, flags, st) && !is_relayed(p, which, flags, st))
    return pass_read_only(p, which, which, what);
  if (wanted || (is_relayed(p, which, flags, st) && !(which == 2 && join(what)))) pass_through(which, what);
}

void streams::pass_read_only(const loaded_policy& p, int which, int file, command& what) {
  descriptor opened = reopen_read_only(file), original(::fcntl(file, F_DUPFD_CLOEXEC, 3));
  if (!opened) {
    relay r = make_pipe(which, what);
    (which == 0 ? r.from : r.to) = std::move(original);
    relays_[static_cast<std::size_t>(which)] = std::move(r);
    return;
  }
  what.reopenable[static_cast<std::size_t>(which)] = allows(p, right::read, file);
  descriptor same(::fcntl(opened.get(), F_DUPFD_CLOEXEC, 3));
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

void streams::pass_through(int which, command& what) {
  relay r = make_pipe(which, what);
  if (which == 0) r.from = descriptor(::fcntl(which, F_DUPFD_CLOEXEC, 3));
  else r.to = unwaiting(which);
  r.spliced = which != 0 && r.listener == nullptr && !has_limit_ && is_pipe(r.to.get());
  relays_[static_cast<std::size_t>(which)] = std::move(r);
}

void streams::pass_terminal(int which, const terminal* own, command& what) {
  const auto at = static_cast<std::size_t>(which);
  if (own != nullptr && (which != 0 || own->takes_keys())) {
    what.stdio[at] = own->inner();
    if (which == 0)
      relays_[0] = relay{.from = descriptor(::fcntl(which, F_DUPFD_CLOEXEC, 3)), .to = own->outer(), .inward = true};
    if (!relays_[3].from) relays_[3].from = own->outer();
    if (!relays_[3].to || which == 1) relays_[3].to = unwaiting(which);
    relays_[3].counted = true;
    // The terminal's output does not show which of the two streams it came from.
    if (listeners_[at] && relays_[3].listener == nullptr) relays_[3].listener = &listeners_[at];
    return;
  }
  // All processes on a terminal share its modes, and its input goes to the foreground. From the background only output
  // is passed through.
  if (which != 0 || ::tcgetpgrp(which) == ::getpgrp()) return pass_through(which, what);
  give(0, descriptor(::open("/dev/null", O_RDONLY | O_CLOEXEC)), what);
}

} // namespace cordon::linux_shim
