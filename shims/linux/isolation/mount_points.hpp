// SPDX-License-Identifier: BSL-1.0
/// Mount points on the host, for mounts at a path which does not exist.
#pragma once

#include "../child/descriptor.hpp"
#include "../files/found_inode.hpp"

#include <cordon/backend/mounts/planned_mount.hpp>
#include <cordon/run/project/protected_settings.hpp>

#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace cordon::linux_shim {

/// Empty directories of the host, or files as small as `placeholder` has them, that serve as mount points; the last run
/// that uses one removes it. The kernel removes a mount with its mount point, in every namespace. Each run therefore
/// holds its mount points by a shared lock (flock(2)), and removes one only under an exclusive lock. cordon recognizes
/// its own by their mode, which no other program gives an empty directory or such a file. A journal in the user's state
/// directory lists the mount points of a killed run, and the next run removes them.
class mount_points {
public:
  mount_points() = default;
  /// A missing setting gets its placeholder; any other missing path an empty directory.
  explicit mount_points(const std::vector<project_setting>& settings);
  mount_points(mount_points&&) = default;
  mount_points& operator=(mount_points&&) = default;
  ~mount_points();

  /// Ensures that the mount has a mount point. Returns: what is there now; `found`, unless it made something. Throws:
  /// `refused`.
  found_inode stand(const mounts::planned_mount& m, const found_inode& found);
  /// The last mount point is made: closes the journal, for other runs, and the last directory.
  void close() {
    journal_ = {};
    around_ = {};
  }
  /// Removes the mount points of this user's killed runs. Costs nothing without a journal.
  static void sweep();

  /// Is the journal of this user's killed runs swept, since this run has used it?
  [[nodiscard]] bool has_swept() const { return !noted_.empty(); }

private:
  using shared_directory = std::shared_ptr<const descriptor>;
  struct point {
    shared_directory around;
    descriptor own;
    std::string place;
  };

  /// The form of a mount point at a path.
  [[nodiscard]] placeholder form_of(const std::string& place) const;
  /// Opens the directory around a path. Returns: null if that failed (errno).
  [[nodiscard]] shared_directory directory_around(const std::string& place);
  [[nodiscard]] found_inode make(const std::string& place);
  /// Adds a path to the journal, before its mount point is made.
  void note(const std::string& place);
  /// Locks what may be another run's mount point. Returns: false if it has been removed meanwhile.
  [[nodiscard]] bool hold(const std::string& place);

  std::vector<point> points_;
  std::vector<project_setting> settings_;           ///< the missing ones
  std::set<std::string> noted_;                     ///< in the journal
  std::pair<std::string, shared_directory> around_; ///< the last one
  descriptor journal_;
};

} // namespace cordon::linux_shim
