// SPDX-License-Identifier: BSL-1.0
/// A simulated macOS with one process and a sandbox of two rules: the profile's text for one file, and that it must be
/// valid.
#pragma once

#include "../bsd/process.hpp"

#include <macos/steps.hpp>

#include <string>
#include <string_view>

namespace macos {

class system : public bsd::process {
public:
  // Set up by a test.
  bool has_init = true, has_tool = true;
  bool forgets_profile = false; ///< reports success and does nothing
  std::string file = "/private/var/run/cordon/probe";
  bool is_readable = true; ///< without confinement
  int tool_status = 0x100; ///< wait status of the program under the tool

  // Inspected by a test.
  std::string profile;
  std::vector<std::string> argv;
  std::vector<std::vector<std::string>> started; ///< by the parent

  bool has_function() noexcept { return has_init; }
  int enter_profile(const char* text, char* words, unsigned long room) noexcept {
    if (const int no = asked("sandbox_init", "")) return no;
    if (!std::string_view(text).starts_with("(version 1)")) {
      std::strncpy(words, "unbound variable: nonsense", room - 1);
      return -einval;
    }
    if (!forgets_profile) profile = text;
    return 0;
  }
  bool is_confined() noexcept { return !profile.empty(); }
  int open(const char* path, bool write) noexcept {
    if (const int no = asked("open", "")) return no;
    if (path != file || !is_readable) return -enoent;
    const std::string rule = std::string(write ? "(allow file-write-data" : "(allow file-read-data") + " \"" + file;
    if (is_confined() && profile.find(rule) == profile.npos) return -eperm;
    return lowest(3);
  }
  int exec_alone(const char* path, char* const* words, char* const*) noexcept {
    if (const int no = asked("posix_spawn", "")) return no;
    const bool is_tool = std::string_view(path) == cordon::macos_shim::tool;
    if (is_tool ? !has_tool : !executables.contains(path)) return -enoent;
    std::erase_if(files, [](const auto& f) { return f.first > 2; });
    program = path;
    while (*words != nullptr) argv.emplace_back(*words++);
    runs = true;
    return 0;
  }
  int wait(int) noexcept { return ++reaped, tool_status; }
};

} // namespace macos
