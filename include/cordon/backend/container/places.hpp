// SPDX-License-Identifier: BSL-1.0
/// The mounts of a container in their order, parents before children.
#pragma once

#include "../mounts/planned_mount.hpp"
#include "rules.hpp"

namespace cordon::container {

using mounts::planned_mount, mounts::mount_method;

/// Calls `f(planned_mount)`, first for a visible root. `look(place)` returns the type of the file at a path. If a
/// source does not exist, the container does not start; the runtime creates the mount point of a mask. O(n), and the
/// path components.
template <class S, class Look, class F> constexpr void each_mount(const rules<S>& r, Look&& look, F&& f) {
  mounts::each_planned_mount(mounts::view(r.mounts), look, [&](const planned_mount& m) {
    if (!path::covers("/proc", m.place)) f(m);
  });
}

/// Calls `f(place)` for the paths in /proc that are masked because the policy hides them.
template <class S, class F> constexpr void each_masked_in_proc(const rules<S>& r, F&& f) {
  mounts::each_masked_in_proc(mounts::view(r.mounts), f);
}

} // namespace cordon::container
