// SPDX-License-Identifier: BSL-1.0
/// The project of one run on the command line.
#pragma once

#include <cordon/format/document.hpp>
#include <cordon/run/project.hpp>
#include <cordon/run/run.hpp>

#include <optional>
#include <string>
#include <vector>

namespace cordon::cli {

/// Named by --workspace, or found around the directory to run in. It is found once, and not at all where the policy does
/// not need it. What it is made from outlives it. Each name is looked up once: what is judged is what is used.
class project_of_run {
public:
  /// The directory to run in, left out: the current one. Throws `refused` for a directory that is named by a link which an
  /// earlier run may have made.
  project_of_run(const std::optional<std::string>& workspace, const std::optional<std::string>& directory,
                 const format::host_facts& facts);

  /// What it opens; empty where there is no project. Throws usage_error, `refused`.
  [[nodiscard]] const std::vector<std::string>& places();
  /// What was looked up, for the policy of the run.
  [[nodiscard]] std::vector<judged_name> judged() const;
  /// The directory to run in, where one was named.
  [[nodiscard]] std::optional<std::string> directory() const;
  /// Nothing where it was not needed.
  [[nodiscard]] std::optional<project_choice> choice() const;

private:
  [[nodiscard]] judged_name look_up(std::string what, const std::string& directory) const;
  [[nodiscard]] project find() const;

  const format::host_facts& facts_;
  std::optional<judged_name> workspace_, directory_;
  std::optional<project> found_;
};

} // namespace cordon::cli
