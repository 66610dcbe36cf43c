// SPDX-License-Identifier: BSL-1.0
/// The directory for temporary files of one run.
#pragma once

#include "descriptor.hpp"

#include <string>

namespace cordon::shim {

/// Created below the caller's temporary directory, or another of the caller's. The owner removes it on destruction, in
/// any state that a program has left. Its owner holds a lock on it; another owner sweeps those of killed owners.
class run_directory {
public:
  run_directory() = default; ///< none
  /// Throws: `refused`.
  [[nodiscard]] static run_directory make(); ///< in $TMPDIR
  [[nodiscard]] static run_directory make(const std::string& base);
  /// A directory of the caller's, which stays.
  [[nodiscard]] static run_directory keep(descriptor directory, std::string path);
  run_directory(run_directory&& other) noexcept { swap(other); }
  run_directory& operator=(run_directory&& other) noexcept {
    swap(other);
    return *this;
  }
  ~run_directory();

  [[nodiscard]] const std::string& path() const { return path_; }
  /// Removes the directories that killed owners have left beside this one. Lists the whole parent directory: call it
  /// when time allows, such as while the program runs.
  void sweep_beside() const;

private:
  void swap(run_directory& other) noexcept {
    std::swap(path_, other.path_);
    std::swap(name_, other.name_);
    std::swap(base_, other.base_);
    std::swap(lock_, other.lock_);
  }

  // Uses descriptors only: programs may write to the parent directory, and rename it.
  std::string path_, name_;
  descriptor base_, lock_; ///< the parent directory, unless it stays, and the run's own
};

} // namespace cordon::shim
