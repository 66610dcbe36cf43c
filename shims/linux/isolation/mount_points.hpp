// SPDX-License-Identifier: BSL-1.0
/// Mount points on the host, for mounts that hide a path which does not exist.
#pragma once

#include "../child/descriptor.hpp"

#include <cordon/backend/mounts/planned_mount.hpp>

#include <string>
#include <vector>

namespace cordon::linux_shim {

/// Empty directories of the host that serve as mount points; the last run that uses one removes it. The kernel removes
/// a mount with its mount point, in every namespace. Each run therefore holds its mount points by a shared lock
/// (flock(2)), and removes one only under an exclusive lock. cordon recognizes its own by their mode, which no other
/// program gives an empty directory. A journal in the user's state directory lists the mount points of a killed run,
/// and the next run removes them.
class mount_points {
public:
  mount_points() = default;
  mount_points(mount_points&&) = default;
  mount_points& operator=(mount_points&&) = default;
  ~mount_points();

  /// Ensures that the mount has a mount point. Returns: true if it made a directory. Throws: `refused`.
  bool stand(const mounts::planned_mount& m);
  /// Removes the mount points of this user's killed runs. Costs nothing without a journal.
  static void sweep();

private:
  void make(const std::string& place);
  /// Locks a directory that may be another run's mount point. Returns: false if it has been removed meanwhile.
  [[nodiscard]] bool hold(const std::string& place);

  struct point {
    descriptor around, own;
    std::string name;
  };
  std::vector<point> points_;
};

} // namespace cordon::linux_shim
