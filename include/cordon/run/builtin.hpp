// SPDX-License-Identifier: BSL-1.0
/// The policy of `cordon run` if the caller gives none: it grants writing in the project and running common programs,
/// and nothing else.
#pragma once

#include "../format/document.hpp"

#include <string>
#include <vector>

namespace cordon {

/// The built-in worktree policy for the paths of a project, as a document, so that options can edit it. Without paths
/// it grants writing only where presets do.
[[nodiscard]] inline format::document builtin_worktree(const std::vector<std::string>& places,
                                                       platform on = platform::linux_) {
  format::document d;
  d.profile = profile::worktree;
  d.level = level::process_exec;
  d.network.emplace();
  d.sockets.emplace().own = true;
  d.workspace.emplace();
  for (const std::string& p : places) d.workspace->push_back({p, verb::write});
  d.files = d.workspace;
  if (places.empty()) d.files->push_back({"/", verb::hide}); // a list without entries would also have no presets
  pass_basic_variables(d.environment.emplace(), on);
  return d;
}

} // namespace cordon
