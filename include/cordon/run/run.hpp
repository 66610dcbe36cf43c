// SPDX-License-Identifier: BSL-1.0
/// Running one program under a policy: decide, prepare, start, wait, end the tree, and say what was in force.
#pragma once

#include "links.hpp"
#include "outcome.hpp"
#include "prepare.hpp"
#include "selection.hpp"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace cordon {

struct run_request {
  loaded_policy policy;
  link_facts links; ///< for resolving it (`links_of_host`)
  std::vector<std::string> argv;
  std::vector<std::string> environment;   ///< the caller's, `NAME=value`
  std::optional<std::string> directory;   ///< to run in; left out: the current one
  circumstances asked;                    ///< `profile`, `fallback` and `available` are filled in by `run`
  std::vector<std::string> accepted_gaps; ///< IDs of unenforced gaps that os_hardened may leave
};

/// What was asked, what was in force, and how it ended.
struct report {
  std::vector<std::string> argv;
  std::string program; ///< the file that was run
  std::string directory;
  std::string policy; ///< the effective policy, canonical
  cordon::profile profile{};
  selection selected = selection::refused;
  std::string backend;
  std::string reason; ///< of the selection, where it is not plain confinement
  std::vector<mechanism> mechanisms;
  std::vector<stated_gap> gaps;
  std::vector<stated_limit> limits;
  std::vector<std::string> added_environment; ///< names that cordon itself set
  outcome ended;
};

/// Runs the program with the caller's stdin, stdout and stderr; output goes through cordon only where a limit on it is
/// set. `before_start` is called once everything is known and nothing has started. Must be called in a process with no
/// other children: whatever orphan there is afterwards is ended. Never throws for what a policy or a host refuses: that is
/// an outcome.
[[nodiscard]] report run(run_request request, const std::function<void(const report&)>& before_start = {});

} // namespace cordon
