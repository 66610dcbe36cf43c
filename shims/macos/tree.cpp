// SPDX-License-Identifier: BSL-1.0
#include "tree.hpp"

#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <vector>

namespace cordon::macos_shim {
namespace {

[[nodiscard]] bool is_among(const std::vector<int>& all, int pid) {
  return std::find(all.begin(), all.end(), pid) != all.end();
}

[[nodiscard]] std::vector<int> members(int program, const process_lists& all) {
  constexpr int room = 16384;
  std::vector<int> found{program}, some(room);
  const auto add = [&](int pid) {
    if (pid > 1 && pid != ::getpid() && !is_among(found, pid)) found.push_back(pid);
  };
  for (int i = std::min(all.everybody(some.data(), room), room); i > 0; --i)
    if (const int pid = some[static_cast<std::size_t>(i) - 1]; ::getsid(pid) == program) add(pid);
  for (std::size_t at = 0; at < found.size(); ++at)
    for (int i = std::min(all.children(found[at], some.data(), room), room); i > 0; --i)
      add(some[static_cast<std::size_t>(i) - 1]);
  return found;
}

} // namespace

void kill_tree(int program, const process_lists& all) {
  constexpr int rounds = 8;
  std::vector<int> stopped; // stop all before the first kill, so that none forks meanwhile
  for (int round = 0; round < rounds; ++round) {
    const std::size_t before = stopped.size();
    for (const int pid : members(program, all))
      if (!is_among(stopped, pid)) {
        ::kill(pid, SIGSTOP);
        stopped.push_back(pid);
      }
    if (stopped.size() == before) break;
  }
  for (const int pid : stopped) ::kill(pid, SIGKILL);
}

} // namespace cordon::macos_shim
