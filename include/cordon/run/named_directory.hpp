// SPDX-License-Identifier: BSL-1.0
/// Directories that the caller names, such as one for writing. The last writer of a link chooses its target; in a
/// directory that an earlier run could write, that writer may be a program of that run. cordon keeps no list of such
/// directories. So it follows a link only if a program may write there under no policy but one that names the link's
/// directory itself.
///
///   /home/u/job -> /disk/job          followed: it lies in the home itself
///   /var/run -> /run                  followed: only root writes in /var
///   /home/u/app/data -> ../keys       refused, whether or not app is a project today
#pragma once

#include "links/link_checks.hpp"
#include "project.hpp"

#include <algorithm>
#include <string>

namespace cordon {

namespace detail {

/// Is a directory one in which no project can be? A program that runs as root may write even where only root may.
[[nodiscard]] inline bool is_of_machine(std::string_view dir, platform on) {
  const project_place p = project_place_of(dir, on);
  return p == project_place::root || p == project_place::system || p == project_place::holds_others;
}

} // namespace detail

/// Throws: `refused` if a program of an earlier run may have created a link on the path.
inline void check_way(const judged_name& way, const project_facts& projects, const link_facts& links) {
  for (const link_on_the_way& link : way.links) {
    const std::string dir(path::parent(link.place));
    const std::vector<std::string> homes = detail::homes_of(projects, dir);
    const bool trusted = std::find(homes.begin(), homes.end(), dir) != homes.end() ||
                         (link.only_root_writes && (!links.as_root || detail::is_of_machine(dir, projects.system)));
    if (!trusted) detail::refuse_link(way.name, link.place, "that a program of an earlier run may have made", way.real);
  }
}

} // namespace cordon
