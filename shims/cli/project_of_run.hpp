// SPDX-License-Identifier: BSL-1.0
/// The project of one run on the command line.
#pragma once

#include <cordon/format/document.hpp>
#include <cordon/run/project/settings.hpp>
#include <cordon/run/run.hpp>

#include <optional>
#include <string>
#include <vector>

namespace cordon::cli {

/// Named by --workspace, or found around the working directory. The search runs at most once, and only if the policy
/// needs a project. The constructor's facts must outlive it. Each name is looked up once: the checked path is the used
/// path.
class project_of_run {
public:
  /// `directory`: the working directory; left out: the current one. Throws: `refused` if its path contains a link that
  /// an earlier run may have made.
  project_of_run(const std::optional<std::string>& workspace, const std::optional<std::string>& directory,
                 const format::host_facts& facts);

  /// The paths of the project; empty if there is none. Throws: usage_error, `refused`.
  [[nodiscard]] const std::vector<std::string>& places();
  /// The settings of the project that the run protects; empty if the policy needed no project.
  [[nodiscard]] project_settings settings() const;
  /// The looked-up names, for the policy of the run.
  [[nodiscard]] std::vector<judged_name> judged() const;
  /// The working directory, if one was named.
  [[nodiscard]] std::optional<std::string> directory() const;
  /// Empty if the policy needed no project.
  [[nodiscard]] std::optional<project_choice> choice() const;

private:
  [[nodiscard]] judged_name look_up(std::string what, const std::string& directory) const;
  /// Throws: `refused` if a shell came to the current directory by a link (its PWD) that an earlier run may have made.
  void check_way_here() const;
  [[nodiscard]] project find() const;
  /// The project that an earlier run had below the one that is found, or the found one.
  [[nodiscard]] static project kept(project found, const std::string& directory);

  const format::host_facts& facts_;
  std::optional<judged_name> workspace_, directory_;
  std::optional<project> found_;
};

} // namespace cordon::cli
