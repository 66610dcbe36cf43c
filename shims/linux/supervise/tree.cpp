// SPDX-License-Identifier: BSL-1.0
#include "tree.hpp"

#include "../child/kill_listed.hpp"
#include "../child/read_file.hpp"

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
    std::istringstream list(read_file((thread.path() / "children").string()));
    for (int pid = 0; list >> pid;) all.push_back(pid);
  }
  return all;
}

[[nodiscard]] bool has(const std::vector<int>& all, int pid) {
  return std::find(all.begin(), all.end(), pid) != all.end();
}

/// Children that are none of these.
[[nodiscard]] std::vector<int> children_but(int parent, const std::vector<int>& others) {
  std::vector<int> all = children_of(parent);
  std::erase_if(all, [&](int pid) { return has(others, pid); });
  return all;
}

/// SIGKILL to everybody below a process, parents first.
void kill_below(int parent, const std::vector<int>& others, int depth = 0) {
  constexpr int deepest = 64; // what lies deeper becomes our child when those above have gone
  if (depth == deepest) return;
  for (const auto& killed : kill_listed([&] { return children_but(parent, others); }))
    kill_below(killed.first, {}, depth + 1);
}

} // namespace

std::vector<int> children_of_others() { return children_of(::getpid()); }

void end_below(int pid) { kill_below(pid, {}); }

std::uint64_t resident_in(int pid) {
  std::istringstream pages(read_file("/proc/" + std::to_string(pid) + "/statm"));
  std::uint64_t size = 0, resident = 0;
  pages >> size >> resident;
  resident *= static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
  for (const int child : children_of(pid)) resident += resident_in(child);
  return resident;
}

void end_tree(const std::vector<int>& others) {
  const int own = ::getpid();
  for (;;) {
    kill_below(own, others);
    const std::vector<int> left = children_but(own, others);
    for (const int pid : left) {
      ::kill(pid, SIGKILL); // nobody else reaps it, so that the number is its own; it may be new, or not have been held
      siginfo_t info{};
      while (::waitid(P_PID, static_cast<id_t>(pid), &info, WEXITED) != 0 && errno == EINTR) {}
    }
    if (!left.empty()) continue;
    // A kernel without such lists (CONFIG_PROC_CHILDREN) says nothing here; who has ended is reaped at least.
    siginfo_t info{};
    if (!others.empty() || ::waitid(P_ALL, 0, &info, WEXITED | WNOHANG) != 0 || info.si_pid == 0) return;
  }
}

} // namespace cordon::linux_shim
