// SPDX-License-Identifier: BSL-1.0
/// The options that make a policy on the command line. Without a policy file they edit the built-in policy; with one
/// they narrow it, and one that would add is a usage error.
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

/// With what CORDON_SANDBOX and CORDON_ALLOW_NO_SANDBOX say.
[[nodiscard]] selection_input circumstances_of_variables();

/// A policy for a run, and the project where it took one.
struct policy_of_run {
  host_policy asked;
  std::optional<project_choice> project;
  std::optional<std::string> directory; ///< to run in, looked up; nothing where none was named
};

/// The policy for a run in a directory (left out: the current one): the built-in one edited, or the documents' meet, with the built-in policy's
/// value on every axis that all of them leave out. Throws bad_document, usage_error, refused.
[[nodiscard]] policy_of_run policy_for_run(const policy_options& options, const std::optional<std::string>& directory);

} // namespace cordon::cli
