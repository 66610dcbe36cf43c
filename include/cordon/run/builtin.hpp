// SPDX-License-Identifier: BSL-1.0
/// The policy of `cordon run` where the caller gives none: the project may be written, common programs may be run, and
/// that is all.
#pragma once

#include "../format/document.hpp"

#include <string>
#include <vector>

namespace cordon {

/// The built-in worktree policy over the places of a project, as a document, so that options can edit it. Without places
/// nothing may be written but what presets name.
[[nodiscard]] inline format::document builtin_worktree(const std::vector<std::string>& places,
                                                       platform on = platform::linux_) {
  format::document d;
  d.profile = profile::worktree;
  d.level = level::process_exec;
  d.network.emplace();
  d.sockets.emplace();
  d.workspace.emplace();
  for (const std::string& p : places) d.workspace->push_back({p, verb::write});
  d.files = d.workspace;
  if (places.empty()) d.files->push_back({"/", verb::hide}); // a list without an entry would be without presets
  pass_basic_variables(d.environment.emplace(), on);
  return d;
}

} // namespace cordon
