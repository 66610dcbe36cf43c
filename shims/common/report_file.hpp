// SPDX-License-Identifier: BSL-1.0
/// What cordon writes outside a run. A regular file is replaced atomically; a pipe, a device or a stream of this process
/// (/dev/stdout) is written to as what it is. The program cannot redirect it, whatever it does to the directories on the
/// path or leaves at the name itself: a link that a confined program may have created is not followed.
#pragma once

#include <memory>
#include <string>
#include <string_view>

namespace cordon::shim {

class report_file {
public:
  enum class readers : bool { all, owner };

  /// Opens the directory, before the program starts. `who` may read a new file. Throws: `refused`.
  explicit report_file(std::string path, readers who = readers::all);
  ~report_file();
  report_file(const report_file&) = delete;
  report_file& operator=(const report_file&) = delete;

  /// Tests whether a file can be created there. Throws: `refused`.
  void check() const;
  /// Is it no regular file? What is written there stays there.
  [[nodiscard]] bool is_stream() const;
  /// Puts a new file there: a reader sees the report from before the start or the one from after the end. Throws:
  /// `refused`.
  void write(std::string_view text) const;
  /// Does the directory's path still lead to the directory that was opened?
  [[nodiscard]] bool is_in_its_place() const;
  [[nodiscard]] const std::string& path() const { return path_; }

private:
  void follow_name();
  [[noreturn]] void refuse(const std::string& why) const;
  /// Returns: the name of a new file in the directory. Throws: `refused`.
  [[nodiscard]] std::string make(std::string_view text) const;

  struct parts;

  std::string path_;
  std::unique_ptr<parts> parts_;
};

} // namespace cordon::shim
