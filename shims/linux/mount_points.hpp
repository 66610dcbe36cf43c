// SPDX-License-Identifier: BSL-1.0
/// Where nothing is that is to be hidden, a mount needs something to stand on.
#pragma once

#include "descriptor.hpp"

#include <cordon/backend/mounts/made.hpp>

#include <string>
#include <vector>

namespace cordon::linux_shim {

/// Empty directories of the machine's on which mounts stand, removed with their owner unless another run stands there too.
/// A mount goes with its mount point, in every namespace: whoever needs one holds it by a shared lock (flock(2)), and it is
/// removed under an exclusive one.
class mount_points {
public:
  mount_points() = default;
  mount_points(mount_points&&) = default;
  mount_points& operator=(mount_points&&) = default;
  ~mount_points();

  /// Sees to it that the mount has something to stand on. True if a directory was made where nothing was. Throws
  /// `refused`.
  bool stand(const mounts::made_mount& m);

private:
  void make(const std::string& place);
  /// Holds a directory that may be another run's mount point; false if it has gone meanwhile.
  [[nodiscard]] bool hold(const std::string& place);

  struct point {
    descriptor around, own;
    std::string name;
    bool made = false;
  };
  std::vector<point> points_;
};

} // namespace cordon::linux_shim
