// SPDX-License-Identifier: BSL-1.0
/// Control groups: limits that the kernel enforces on a whole process tree.
#pragma once

#include "../policy/limits.hpp"

#include <array>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace cordon {

/// The groups of one run, below this process's own: version 2 for the controllers that it has, version 1 for the
/// others. A group that cannot be created enforces nothing; the caller must fall back to rlimits.
class control_group {
public:
  /// Creates groups for the wanted limits among memory, processes and processor time. `more`: processes beside the
  /// program's own, added to their limit. `always`: creates a group without a limit too, if possible, so that the whole
  /// tree can be killed. Removes groups that killed launchers have left.
  [[gnu::abi_tag("abi_0")]] control_group(const limits& wanted, std::uint64_t more, bool always = false);
  /// A group whose processes have not ended remains. A later object, of this process or another, removes it.
  ~control_group();
  control_group(const control_group&) = delete;
  control_group& operator=(const control_group&) = delete;

  /// Kills all processes in the groups: with cgroup.kill if available (version 2, Linux 5.14), else one by one. In the
  /// latter case it first forbids further forks if the group has a pids limit. Returns: pidfds (pidfd_open(2)) of the
  /// processes found, readable once a process has ended; the caller closes them.
  std::vector<int> end() const;

  /// Processor time of all processes that are or were in the group, in nanoseconds; 0 if not counted (`holds`).
  [[nodiscard]] std::uint64_t cpu_used() const;
  /// Has the kernel killed a process in the group because memory ran out? memory.events, memory.oom_control: oom_kill.
  [[nodiscard]] bool is_out_of_memory() const;

  /// The mechanism that enforces the limit for the whole tree; empty: none of these groups does.
  [[nodiscard]] std::string_view holds(limit l) const { return held_[static_cast<std::size_t>(l)]; }
  /// Directories of the groups, which the program must join before it starts.
  [[nodiscard]] std::span<const int> directories() const { return directories_; }

private:
  struct wish;
  void make_second(const wish& w);
  void make_first(const wish& w);
  /// Returns: the group's directory; empty if it cannot be created.
  std::string make(std::string_view controller, const std::string& parent, std::span<const std::string> settings);
  void hold(limit l, const std::string& file, const std::string& group);
  /// Counts processor time by a file of the group, if it has it.
  void count(const std::string& file, const std::string& group);

  std::array<std::string, limit_names.size()> held_{};
  std::string memory_, cpu_; ///< directory of the group that limits memory; file that counts processor time
  std::vector<std::string> paths_;
  std::vector<int> directories_;
};

} // namespace cordon
