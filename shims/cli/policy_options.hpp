// SPDX-License-Identifier: BSL-1.0
/// The options that define a policy on the command line. Without a policy file they edit the built-in policy. With one
/// they narrow it; an option that would add rights is a usage error.
#pragma once

#include "subcommand.hpp"

#include <cordon/run/load.hpp>
#include <cordon/run/selection.hpp>

#include <optional>
#include <string>
#include <vector>

namespace cordon::cli {

struct policy_options {
  std::vector<std::string> files;
  std::optional<std::string> profile, level, network, syscalls, workspace, env_mode, tool_fields;
  std::vector<std::string> read, write, run, hide, allowed_domains, denied_domains, presets, env, env_remove;
  bool no_presets = false;
  std::optional<std::string> memory, cpu, processes, timeout, max_output;

  void add_to(subcommand& c);
};

/// Includes the values of CORDON_SANDBOX and CORDON_ALLOW_NO_SANDBOX.
[[nodiscard]] selection_input circumstances_of_variables();

/// A policy for a run, and the project if the policy needed one.
struct policy_of_run {
  host_policy asked;
  std::optional<project_choice> project;
  std::optional<std::string> directory; ///< working directory, looked up; empty if none was named
};

/// The policy for a run in a directory (left out: the current one). Without documents: the built-in policy, edited.
/// With documents: their meet, with the built-in policy's value on every axis that none of them sets. Throws:
/// bad_document, usage_error, refused.
[[nodiscard]] policy_of_run policy_for_run(const policy_options& options, const std::optional<std::string>& directory);

} // namespace cordon::cli
