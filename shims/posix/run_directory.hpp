// SPDX-License-Identifier: BSL-1.0
/// The directory for temporary files of one run.
#pragma once

#include "descriptor.hpp"

#include <string>

namespace cordon::shim {

/// Made beneath the caller's own temporary directory, or another one of his, and removed with its owner whatever a
/// program has made of it. As long as its owner lives it is locked; what killed owners have left behind another sweeps.
class run_directory {
public:
  run_directory() = default; ///< none
  /// Throws `refused`.
  [[nodiscard]] static run_directory make(); ///< in $TMPDIR
  [[nodiscard]] static run_directory make(const std::string& base);
  run_directory(run_directory&& other) noexcept { swap(other); }
  run_directory& operator=(run_directory&& other) noexcept {
    swap(other);
    return *this;
  }
  ~run_directory();

  [[nodiscard]] const std::string& path() const { return path_; }
  /// Removes those that killed owners have left beside this one. Lists all that is there: for whoever has the time, such
  /// as while the program runs.
  void sweep_beside() const;

private:
  void swap(run_directory& other) noexcept {
    std::swap(path_, other.path_);
    std::swap(name_, other.name_);
    std::swap(base_, other.base_);
    std::swap(lock_, other.lock_);
  }

  // All is done by descriptors: the directory around may be one that programs write to, and give other names.
  std::string path_, name_;
  descriptor base_, lock_; ///< the directory around, and the run's own
};

} // namespace cordon::shim
