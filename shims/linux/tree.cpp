// SPDX-License-Identifier: BSL-1.0
#include "tree.hpp"

#include "descriptor.hpp"
#include "text_of.hpp"

#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <filesystem>
#include <sstream>
#include <string>

namespace cordon::linux_shim {
namespace {

/// One list a thread of the parent: a child is listed with the thread that made it, orphans with the first.
[[nodiscard]] std::vector<int> children_of(int parent) {
  std::vector<int> all;
  std::error_code ec;
  for (const auto& thread : std::filesystem::directory_iterator("/proc/" + std::to_string(parent) + "/task", ec)) {
    std::istringstream list(text_of((thread.path() / "children").string()));
    for (int pid = 0; list >> pid;) all.push_back(pid);
  }
  return all;
}

[[nodiscard]] bool has(const std::vector<int>& all, int pid) {
  return std::find(all.begin(), all.end(), pid) != all.end();
}

/// SIGKILL to everybody below a process, parents first. Numbers of what is not our own child are given anew when it has
/// been reaped: so who is held by a descriptor has to be found with the same parent once more.
void kill_below(int parent, const std::vector<int>& others, int depth) {
  constexpr int deepest = 64; // what lies deeper becomes our child when those above have gone
  if (depth > deepest) return;
  const bool own = depth == 0;
  std::vector<std::pair<int, descriptor>> held;
  for (const int pid : children_of(parent))
    if (!has(others, pid)) held.emplace_back(pid, descriptor(static_cast<int>(::syscall(SYS_pidfd_open, pid, 0))));
  const std::vector<int> still = children_of(parent);
  for (const auto& [pid, fd] : held) {
    if (own) ::kill(pid, SIGKILL); // nobody else reaps it
    else if (fd && has(still, pid)) ::syscall(SYS_pidfd_send_signal, fd.get(), SIGKILL, nullptr, 0);
    else continue;
    kill_below(pid, {}, depth + 1);
  }
}

} // namespace

std::vector<int> children_of_others() { return children_of(::getpid()); }

void end_tree(const std::vector<int>& others) {
  const int own = ::getpid();
  for (;;) {
    kill_below(own, others, 0);
    bool left = false;
    for (const int pid : children_of(own)) {
      if (has(others, pid)) continue;
      left = true;
      siginfo_t info{};
      while (::waitid(P_PID, static_cast<id_t>(pid), &info, WEXITED) != 0 && errno == EINTR) {}
    }
    if (left) continue;
    // A kernel without such lists (CONFIG_PROC_CHILDREN) says nothing here; who has ended is reaped at least.
    siginfo_t info{};
    if (!others.empty() || ::waitid(P_ALL, 0, &info, WEXITED | WNOHANG) != 0 || info.si_pid == 0) return;
  }
}

} // namespace cordon::linux_shim
