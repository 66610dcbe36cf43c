// SPDX-License-Identifier: BSL-1.0
/// A view of the file system that is made of mounts, as it is planned in the parent.
#pragma once

#include "mount_points.hpp"
#include "view_step.hpp"

#include <cordon/backend/namespaces.hpp>
#include <cordon/policy/heap.hpp>
#include <cordon/run/links.hpp>

#include <deque>
#include <string>
#include <vector>

namespace cordon::linux_shim {

/// The mounts of a policy with the run's own directory, if it has one, in the place of `run_temp`.
[[nodiscard]] heap placed(const heap& from, const std::string& temp);

/// Those of the links that nothing in the view shows, and whose names are free there.
[[nodiscard]] std::vector<link_on_the_way> missing_links(mounts::list all, const std::vector<link_on_the_way>& links);

/// The steps that make the view of a policy: a tree in which only what is granted exists, with a /proc, /dev and /tmp
/// of its own.
class view {
public:
  /// Looks at every place, following no link, and makes empty directories, which go with the view, where a mount stands
  /// for what is not there. `links` that it would lack are made. `temp` is the real directory that stands for
  /// `run_temp`. Throws `refused` naming a place that has become a link or cannot be looked at. O(n log n).
  view(const namespaces::rules<heap>& rules, const std::string& temp, const std::vector<link_on_the_way>& links = {});

  [[nodiscard]] std::span<const view_step> steps() const { return steps_; }
  /// The step in words, for messages.
  [[nodiscard]] std::string describe_step(std::uint32_t at) const;

private:
  mount_points points_;
  std::deque<std::string> texts_; ///< keeps its elements where they are when it is moved
  std::vector<view_step> steps_;
};

} // namespace cordon::linux_shim
