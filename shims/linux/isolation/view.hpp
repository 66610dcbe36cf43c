// SPDX-License-Identifier: BSL-1.0
/// A view of the file system made of mounts, planned in the parent.
#pragma once

#include "mount_points.hpp"
#include "view_options.hpp"
#include "view_step.hpp"

#include <cordon/backend/namespaces.hpp>
#include <cordon/policy/heap.hpp>

#include <deque>
#include <string>
#include <vector>

namespace cordon::linux_shim {

/// Returns: the mounts of a policy with `run_temp` replaced by `temp`, or removed if `temp` is empty.
[[nodiscard]] heap placed(const heap& from, const std::string& temp);

/// Returns: the links that the view does not show and whose paths are free in it.
[[nodiscard]] std::vector<link_on_the_way> missing_links(mounts::list all, const std::vector<link_on_the_way>& links);

/// Can a view show a directory of the machine's at /tmp? Not if the policy or a link has places below /tmp: a program of
/// an earlier run may have put links on the way to them.
[[nodiscard]] bool can_show_at_tmp(mounts::list all, const std::vector<link_on_the_way>& links);

/// The steps that make the view of a policy: a tree that contains only what the policy grants, and a private /proc,
/// /dev and /tmp.
class view {
public:
  /// Looks at every path without following links. Makes a mount point for each missing path, removed with the view.
  /// Throws: `refused` with the path if it has become a symbolic link or cannot be examined. O(n log n).
  view(const namespaces::rules<heap>& rules, const view_options& options);

  [[nodiscard]] const mount_points& points() const { return points_; }
  [[nodiscard]] std::span<const view_step> steps() const { return steps_; }
  /// Describes the step, for messages.
  [[nodiscard]] std::string describe_step(std::uint32_t at) const;

private:
  mount_points points_;
  std::deque<std::string> texts_; ///< a deque, so that a move keeps the addresses of its elements
  std::vector<view_step> steps_;
};

} // namespace cordon::linux_shim
