// SPDX-License-Identifier: BSL-1.0
/// A directory that the caller names. A link on the way to it leads where its last writer wants: in a place that confined
/// programs may write, that is one of them, now or in an earlier run.
#pragma once

#include "project.hpp"
#include "resolve.hpp"

#include <optional>
#include <string>

namespace cordon {

namespace detail {

/// The links on the way to a directory, but for those of the system.
[[nodiscard]] inline followed links_to(const std::string& name, const link_facts& facts) {
  std::error_code ec;
  followed way = follow(std::filesystem::absolute(name, ec));
  std::erase_if(way.links, [&](const std::string& link) {
    const std::string dir(path::parent(link));
    if (facts.only_root_writes == nullptr || !facts.only_root_writes(dir)) return false;
    const auto system = preset_places::system(platform::linux_);
    return !facts.as_root || dir == "/" ||
           std::any_of(system.begin(), system.end(), [&](std::string_view s) { return path::covers(s, dir); });
  });
  return way;
}

[[noreturn]] inline void refuse_link(const std::string& what, const std::string& name, const std::string& link,
                                     const std::string& why, const std::string& end) {
  throw refused(what + " " + name + ": " + link + " is a link " + why + "; name " + end + " itself");
}

} // namespace detail

/// Throws `refused` where the policy lets the program replace a link on the way. `what` names the directory's use.
/// O(components) look-ups.
inline void check_way_by_policy(const std::string& what, const std::string& name, const loaded_policy& p,
                                const link_facts& facts) {
  const detail::followed way = detail::links_to(name, facts);
  for (const std::string& link : way.links)
    if (detail::is_replaceable(p, part::files, link))
      detail::refuse_link(what, name, link, "that the program may replace", way.end);
}

/// Throws `refused` where a link on the way lies in a project: in the one around the current directory, or in one that has
/// a repository or a project file. Runs without a policy file may write these.
inline void check_way_by_projects(const std::string& what, const std::string& name, const project_facts& projects,
                                  const link_facts& facts) {
  const detail::followed way = detail::links_to(name, facts);
  if (way.links.empty()) return;
  const project here = find_project(".", projects);
  for (const std::string& link : way.links) {
    const project around = find_project(std::string(path::parent(link)), projects);
    const bool in_here = !here.root.empty() && here.root != link && path::covers(here.root, link);
    if (in_here || around.is_marked)
      detail::refuse_link(what, name, link,
                          "in the project " + (in_here ? here.root : around.root) +
                              ", where confined programs may replace it",
                          way.end);
  }
}

} // namespace cordon
