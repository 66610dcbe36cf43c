// SPDX-License-Identifier: BSL-1.0
#include "streams.hpp"

#include <cordon/run/prepare.hpp>

#include <fcntl.h>
#include <sys/stat.h>

#include <cerrno>
#include <climits>
#include <cstring>

namespace cordon::linux_shim {
namespace {

constexpr const char* names[]{"stdin", "stdout", "stderr"};

/// Does the policy say less of the file than of a directory around it?
[[nodiscard]] bool is_reduced(const loaded_policy& p, int fd) {
  char place[PATH_MAX];
  const std::string link = "/proc/self/fd/" + std::to_string(fd);
  const ssize_t size = ::readlink(link.c_str(), place, sizeof place);
  if (size <= 0 || place[0] != '/') return false;
  const auto files = p.files();
  const std::string_view file(place, static_cast<std::size_t>(size));
  const auto own = files.value(file);
  for (std::string_view up = file; up != "/";) {
    up = path::parent(up);
    if ((files.value(up) & ~own) != 0) return true;
  }
  return false;
}

} // namespace

streams::streams(const loaded_policy& p, const terminal* own, bool confined, command& what) {
  const bool no_sockets = p.level < level::network;
  if (own != nullptr && own->takes_keys()) what.terminal = own->inner();
  for (int i = 0; i < 3; ++i) {
    struct stat st {};
    const int flags = ::fcntl(i, F_GETFL);
    if (flags < 0 || ::fstat(i, &st) != 0) continue;
    const bool counted = i != 0 && p.limits.has(limit::output);
    if (!confined && counted) pass_through(i, counted, what);
    if (!confined) continue;
    if (S_ISDIR(st.st_mode) || (flags & O_PATH) != 0)
      throw refused(std::string(names[i]) + " is a directory or a bare place: give the program a file, or /dev/null");
    if (::isatty(i) != 0) pass_terminal(i, own, what);
    else if (counted || (no_sockets && S_ISSOCK(st.st_mode)) || (S_ISREG(st.st_mode) && is_reduced(p, i)))
      pass_through(i, counted, what);
  }
}

void streams::pass_through(int which, bool counted, command& what) {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) throw refused(std::string("cannot make a pipe: ") + std::strerror(errno));
  const auto at = static_cast<std::size_t>(which);
  const bool inward = which == 0;
  descriptor ours(ends[inward ? 1 : 0]);
  childs_[at] = descriptor(ends[inward ? 0 : 1]);
  what.stdio[at] = childs_[at].get();
  ::fcntl(ours.get(), F_SETFL, O_NONBLOCK);
  if (inward) relays_[at] = relay{descriptor(::fcntl(which, F_DUPFD_CLOEXEC, 3)), std::move(ours), false, true};
  else relays_[at] = relay{std::move(ours), unwaiting(which), counted};
}

void streams::pass_terminal(int which, const terminal* own, command& what) {
  const auto at = static_cast<std::size_t>(which);
  if (own != nullptr && (which != 0 || own->takes_keys())) {
    what.stdio[at] = own->inner();
    if (which == 0) relays_[0] = relay{descriptor(::fcntl(which, F_DUPFD_CLOEXEC, 3)), own->outer(), false, true};
    if (!relays_[3].from) relays_[3].from = own->outer();
    if (!relays_[3].to || which == 1) relays_[3].to = unwaiting(which);
    relays_[3].counted = true;
    return;
  }
  // Modes are everybody's, and what is typed is for whoever is in the foreground: from the background there is only a way
  // out.
  if (which != 0 || ::tcgetpgrp(which) == ::getpgrp()) return pass_through(which, which != 0, what);
  childs_[at] = descriptor(::open("/dev/null", O_RDONLY | O_CLOEXEC));
  what.stdio[at] = childs_[at].get();
}

} // namespace cordon::linux_shim
