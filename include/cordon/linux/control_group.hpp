// SPDX-License-Identifier: BSL-1.0
/// Control groups: the limits that hold a whole tree of processes, whatever it does.
#pragma once

#include "../policy/limits.hpp"

#include <array>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace cordon {

/// Groups of one run, below this process's own: version 2 where that has the controllers, version 1 beside it. Whatever
/// cannot be made holds nothing, and somebody else must.
class control_group {
public:
  /// Makes groups for the limits that such groups can hold or count, memory, processes and processor time, if those are
  /// wanted. `more`: processes that are not the program's own. `always`: some group where any can be made, so that the
  /// whole tree can be ended. Groups that killed processes have left behind are removed on the way.
  control_group(const limits& wanted, std::uint64_t more, bool always = false);
  /// Of processes that have not ended the group stays, and is removed by a later one of this process's or another's.
  ~control_group();
  control_group(const control_group&) = delete;
  control_group& operator=(const control_group&) = delete;

  /// Kills everybody in it: as a whole where the kernel does that (version 2, Linux 5.14), else one by one, after nobody
  /// forks any more where their number is limited. Descriptors of those that were found (pidfd_open(2)), which tell when
  /// they have gone; the caller closes them.
  std::vector<int> end() const;

  /// Processor time of everybody who is or was in it, in nanoseconds; 0 where nobody counts it (`holds`).
  [[nodiscard]] std::uint64_t cpu_used() const;
  /// Has the kernel killed anybody in it for want of memory? memory.events, memory.oom_control: oom_kill.
  [[nodiscard]] bool is_out_of_memory() const;

  /// Who holds the limit of the whole tree; empty: nobody here.
  [[nodiscard]] std::string_view holds(limit l) const { return held_[static_cast<std::size_t>(l)]; }
  /// Directories of the groups, to be joined by the program before it starts.
  [[nodiscard]] std::span<const int> directories() const { return directories_; }

private:
  /// The group's directory; empty: none could be made.
  std::string make(std::string_view controller, const std::string& parent, std::span<const std::string> settings);

  std::array<std::string, limit_names.size()> held_{};
  std::string memory_, cpu_; ///< the directory of the group that holds memory; the file that counts processor time
  std::vector<std::string> paths_;
  std::vector<int> directories_;
};

} // namespace cordon
