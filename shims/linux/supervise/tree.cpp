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

/// Procfs has one list for each thread of the parent: it lists a child under the thread that made it, an orphan under
/// the first.
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

/// Returns: the children of `parent` that are not in `others`.
[[nodiscard]] std::vector<int> children_but(int parent, const std::vector<int>& others) {
  std::vector<int> all = children_of(parent);
  std::erase_if(all, [&](int pid) { return has(others, pid); });
  return all;
}

/// Sends SIGKILL to every process below `parent`, parents first.
void kill_below(int parent, const std::vector<int>& others, int depth = 0) {
  constexpr int deepest = 64; // deeper processes become children of this process when those above are gone
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
      // No other code reaps it, so its process id is its own. It may be new, or its pidfd may have failed to open.
      ::kill(pid, SIGKILL);
      siginfo_t info{};
      while (::waitid(P_PID, static_cast<id_t>(pid), &info, WEXITED) != 0 && errno == EINTR) {}
    }
    if (!left.empty()) continue;
    // A kernel without these lists (CONFIG_PROC_CHILDREN) lists no child. Ended children are at least reaped.
    siginfo_t info{};
    if (!others.empty() || ::waitid(P_ALL, 0, &info, WEXITED | WNOHANG) != 0 || info.si_pid == 0) return;
  }
}

} // namespace cordon::linux_shim
