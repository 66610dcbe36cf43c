// SPDX-License-Identifier: BSL-1.0
/// Namespaces and mounts made by bwrap(1), for hosts that allow them to bwrap but not to cordon.
#pragma once

#include "../child/descriptor.hpp"
#include "isolation.hpp"
#include "mount_points.hpp"
#include "view_options.hpp"

#include <cordon/backend/bubblewrap.hpp>
#include <cordon/policy/heap.hpp>

#include <vector>

namespace cordon::linux_shim {

/// The arguments of bwrap other than the program, with all data that they point to. bwrap reads its arguments from a
/// file, so that no process list shows the policy's paths.
class planned_wrapper {
public:
  /// Opens every path that the view shows, without following links. bwrap then binds the opened inode, even if the path
  /// changes. Throws: `refused`, also if no installed bwrap is writable by root alone.
  planned_wrapper(const bubblewrap::rules<heap>& rules, const view_options& options);
  planned_wrapper(const planned_wrapper&) = delete;
  planned_wrapper& operator=(const planned_wrapper&) = delete;

  [[nodiscard]] const mount_points& points() const { return points_; }
  [[nodiscard]] const wrapper& get() const { return it_; }

private:
  mount_points points_;
  descriptor program_, arguments_;
  std::vector<descriptor> open_;
  std::vector<int> places_;
  wrapper it_;
};

} // namespace cordon::linux_shim
