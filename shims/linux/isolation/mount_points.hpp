// SPDX-License-Identifier: BSL-1.0
/// Where nothing is that is to be hidden, a mount needs something to stand on.
#pragma once

#include "../child/descriptor.hpp"

#include <cordon/backend/mounts/planned_mount.hpp>

#include <string>
#include <vector>

namespace cordon::linux_shim {

/// Empty directories of the machine's on which mounts stand, removed by the last run that stands on them. A mount goes with
/// its mount point, in every namespace: a run that needs one holds it by a shared lock (flock(2)), and it is removed under
/// an exclusive one. cordon's own are known by their mode, which no other program gives an empty directory. What a killed
/// run leaves stands in a journal in the user's state directory, and the next run removes it.
class mount_points {
public:
  mount_points() = default;
  mount_points(mount_points&&) = default;
  mount_points& operator=(mount_points&&) = default;
  ~mount_points();

  /// Sees to it that the mount has something to stand on. True if a directory was made where nothing was. Throws
  /// `refused`.
  bool stand(const mounts::planned_mount& m);
  /// Removes what killed runs of this user have left. Takes no time where there is no journal.
  static void sweep();

private:
  void make(const std::string& place);
  /// Holds a directory that may be another run's mount point; false if it has gone meanwhile.
  [[nodiscard]] bool hold(const std::string& place);

  struct point {
    descriptor around, own;
    std::string name;
  };
  std::vector<point> points_;
};

} // namespace cordon::linux_shim
