// SPDX-License-Identifier: BSL-1.0
/// Control groups: the limits that hold a whole tree of processes, whatever it does.
#pragma once

#include "../limits.hpp"

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
  /// Makes groups for the limits that such groups can hold, memory and processes, if those are wanted. `more`: processes
  /// that are not the program's own. Groups that killed processes have left behind are removed on the way.
  control_group(const limits& wanted, std::uint64_t more);
  /// The processes in it must have ended.
  ~control_group();
  control_group(const control_group&) = delete;
  control_group& operator=(const control_group&) = delete;

  /// Kills everybody in it: as a whole where the kernel does that (version 2, Linux 5.14), else one by one, after nobody
  /// forks any more where their number is limited.
  void end() const;

  /// Who holds the limit of the whole tree; empty: nobody here.
  [[nodiscard]] std::string_view holds(limit l) const { return held_[static_cast<std::size_t>(l)]; }
  /// Directories of the groups, to be joined by the program before it starts.
  [[nodiscard]] std::span<const int> directories() const { return directories_; }

private:
  bool make(std::string_view controller, const std::string& parent, std::span<const std::string> settings);

  std::array<std::string, limit_names.size()> held_{};
  std::vector<std::string> paths_;
  std::vector<int> directories_;
};

} // namespace cordon
