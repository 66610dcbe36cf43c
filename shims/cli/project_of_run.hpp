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
/// not need it. What it is made from outlives it.
class project_of_run {
public:
  project_of_run(const std::optional<std::string>& workspace, const std::string& directory,
                 const format::host_facts& facts)
      : workspace_(workspace), directory_(directory), facts_(facts) {}

  /// What it opens; empty where there is no project. Throws usage_error, `refused`.
  [[nodiscard]] const std::vector<std::string>& places();
  /// Throws `refused` for a directory that is named by a link which an earlier run may have made.
  void check_named(const char* option, const std::optional<std::string>& name) const;
  /// Nothing where it was not needed.
  [[nodiscard]] std::optional<project_choice> choice() const;

private:
  [[nodiscard]] project_facts search_facts() const;

  const std::optional<std::string>& workspace_;
  const std::string& directory_;
  const format::host_facts& facts_;
  std::optional<project> found_;
};

} // namespace cordon::cli
