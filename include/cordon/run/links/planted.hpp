// SPDX-License-Identifier: BSL-1.0
/// Could a confined program have put this link here? One answer for every name that is given to cordon: paths of
/// policies, patterns, directories to run in, reports, records and keys.
///
///   /home/u/job -> /disk/job          no: it lies in the home itself, which no run could write
///   /var/run -> /run                  no: only root writes in /var
///   /home/u/app/data -> ../keys       yes, if a run could write /home/u/app, whatever is in it today, and if a project
///                                     file marks it: other users' runs, and those of older versions, are not listed
///
/// Without a list of the directories that runs could write, every directory that could be a workspace counts.
#pragma once

#include "../project.hpp"
#include "link_facts.hpp"
#include "written_roots.hpp"

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

namespace cordon::detail {

/// Is a directory one in which no project can be? A program that runs as root may write even where only root may.
[[nodiscard]] inline bool is_of_machine(std::string_view dir, platform on) {
  const project_place p = project_place_of(dir, on);
  return p == project_place::root || p == project_place::system || p == project_place::holds_others;
}

/// Returns: the directory in which a program of an earlier run may have created the link; empty: none could have.
/// `as_root`: runs have the rights of root. O(listed directories times components).
[[nodiscard]] inline std::string planted_in(const link_on_the_way& link, const project_facts& projects, bool as_root,
                                            const written_roots& written) {
  const std::string dir(path::parent(link.place));
  if (path::covers("/proc", dir)) return {}; // the kernel's own
  if (link.only_root_writes && (!as_root || is_of_machine(dir, projects.system))) return {};
  if (const written_root* root = root_around(written, dir); root != nullptr) return root->place;
  const std::vector<std::string> homes = homes_of(projects, dir);
  if (std::find(homes.begin(), homes.end(), dir) != homes.end()) return {};
  const project around = find_project_of(dir, projects);
  const bool is_trusted = written.known && (link.only_root_writes || link.only_caller_writes) && !around.is_marked;
  if (is_trusted) return {};
  // Such as a hidden directory of a home: no run has had it as its workspace by itself.
  if (around.root.empty()) return link.only_caller_writes ? std::string() : dir;
  return around.root;
}

} // namespace cordon::detail
