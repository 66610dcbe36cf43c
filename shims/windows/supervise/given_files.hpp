// SPDX-License-Identifier: BSL-1.0
/// The access to files that a run's container has, from its launch to the end of the run.
#pragma once

#include "machine.hpp"

#include <cordon/run/run.hpp>

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace cordon::windows_shim {

class given_files {
public:
  given_files() = default;
  given_files(const given_files&) = delete;
  given_files& operator=(const given_files&) = delete;
  ~given_files() { end(); }

  /// Restores first what runs left changed that ended early, and reports it.
  void begin(const machine& on, report& r);
  /// Gives the container access. Returns: 0 or an error of GetLastError; all lists are then restored.
  [[nodiscard]] DWORD give(const container& own, const std::filesystem::path& journals, const std::vector<grant>& all);
  /// The object whose list could not be changed; null if no list was to be changed.
  [[nodiscard]] const std::wstring* failed_at() const { return files_ ? &files_->failed_at() : nullptr; }
  /// Restores the lists and reports it.
  void take_back(report& r);
  /// Restores the lists. Can be repeated.
  void end();

private:
  std::unique_ptr<list_store> lists_;
  handle announced_;
  std::optional<granted> files_;
};

} // namespace cordon::windows_shim
