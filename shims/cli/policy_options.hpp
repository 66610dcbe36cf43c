// SPDX-License-Identifier: BSL-1.0
/// The options that define a policy on the command line. Without a policy file they edit the built-in policy. With one
/// they narrow it; an option that would add rights is a usage error.
#pragma once

#include "subcommand.hpp"

#include <cordon/run/load.hpp>
#include <cordon/run/selection.hpp>

#include <array>
#include <optional>
#include <string>
#include <vector>

namespace cordon::cli {

struct policy_options {
  std::vector<std::string> files;
  std::optional<std::string> profile, level, network, sockets, abilities, syscalls, workspace, env_mode, tool_fields;
  std::vector<std::string> read, write, run, hide, allowed_domains, denied_domains, listen, presets, env, env_remove;
  bool no_presets = false, loopback = false, allow_project_settings = false;
  std::array<std::optional<std::string>, limit_names.size()> limits; ///< in the order of `limit_table`

  void add_to(subcommand& c);
};

/// Includes the values of CORDON_SANDBOX and CORDON_ALLOW_NO_SANDBOX.
[[nodiscard]] selection_input circumstances_of_variables();

/// A policy for a run, and the project if the policy needed one.
struct policy_of_run {
  host_policy asked;
  std::optional<project_choice> project;
  project_settings settings;            ///< of the project, protected by the built-in policy
  std::optional<std::string> directory; ///< working directory, looked up; empty if none was named
  bool asks_for_own_sockets = false;    ///< by name, in an option or a document
};

/// The policy for a run in a directory (left out: the current one). Without documents: the built-in policy, edited.
/// With documents: their meet, with the built-in policy's value on every axis that none of them sets. Throws:
/// bad_document, usage_error, refused.
[[nodiscard]] policy_of_run policy_for_run(const policy_options& options, const std::optional<std::string>& directory);

} // namespace cordon::cli
