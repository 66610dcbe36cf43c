// SPDX-License-Identifier: BSL-1.0
/// A report that replaces the file of its name. What the program does to the directories on the way, or leaves at the
/// name itself, leads it nowhere else.
#pragma once

#include <sys/types.h>

#include <string>
#include <string_view>

namespace cordon::cli {

class report_file {
public:
  /// Opens the directory, before the program starts. `mode` is of a new file. Throws `refused`.
  explicit report_file(std::string path, mode_t mode = 0644);
  ~report_file();
  report_file(const report_file&) = delete;
  report_file& operator=(const report_file&) = delete;

  /// Can a file be made there? Throws `refused`.
  void check() const;
  /// Puts a fresh file there: a reader sees the report from before the start or the one from after the end. Throws
  /// `refused`.
  void write(std::string_view text) const;

private:
  [[noreturn]] void refuse(const std::string& why) const;
  /// The name of a fresh file in the directory. Throws `refused`.
  [[nodiscard]] std::string make(std::string_view text) const;

  std::string path_, name_;
  int directory_ = -1;
  mode_t mode_;
};

} // namespace cordon::cli
