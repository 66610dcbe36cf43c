// SPDX-License-Identifier: BSL-1.0
/// Symbolic links in the paths of a policy, and which of them are trusted. A link is trusted only if no program that
/// the policy confines can replace it, now or in an earlier run.
#pragma once

#include "../../format/place.hpp"
#include "../../policy/heap.hpp"
#include "../../policy/preset.hpp"
#include "../../query/query.hpp"
#include "link_facts.hpp"

#include <algorithm>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace cordon::detail {

/// The target of a path, and the links on it.
struct followed {
  std::string end = "/";
  std::vector<link_on_the_way> links{};
};

/// The most links that the kernel follows (MAXSYMLINKS).
inline constexpr std::size_t most_links = 40;

[[nodiscard]] inline std::optional<link_on_the_way> read_by_name(const std::string& directory,
                                                                 const std::string& name) {
  std::string place = (directory == "/" ? directory : directory + "/") + name;
  std::error_code ec;
  const std::filesystem::path target = std::filesystem::read_symlink(path_at(place), ec);
  if (ec) return {};
  return link_on_the_way{std::move(place), target.is_absolute() ? place_of(target) : target.generic_string()};
}

/// Follows an absolute path, which may contain `.` and `..`. A component that does not exist is kept as it is. Calls
/// `visit` with each entry, its directory resolved, before the entry is read. One look-up for each component.
template <class Visit> [[nodiscard]] followed follow(std::string_view place, link_reader read, Visit&& visit) {
  followed to;
  std::vector<std::string> rest; // the next component last
  const auto put = [&](std::string_view from) {
    for (std::size_t end = from.size(); end != 0;) {
      const std::size_t slash = from.rfind('/', end - 1), begin = slash == from.npos ? 0 : slash + 1;
      if (begin != end) rest.emplace_back(from.substr(begin, end - begin));
      end = slash == from.npos ? 0 : slash;
    }
  };
  for (put(place); !rest.empty();) {
    const std::string name = std::move(rest.back());
    rest.pop_back();
    if (name == "..") to.end = path::parent(to.end);
    if (name == "." || name == "..") continue;
    std::string next = (to.end == "/" ? to.end : to.end + "/") + name;
    visit(std::as_const(next));
    std::optional<link_on_the_way> link = (read == nullptr ? read_by_name : read)(to.end, name);
    if (!link || to.links.size() == most_links) {
      to.end = std::move(next);
      continue;
    }
    put(link->target);
    if (link->target.starts_with('/')) to.end = "/";
    to.links.push_back(*std::move(link));
  }
  return to;
}
[[nodiscard]] inline followed follow(std::string_view place, link_reader read = nullptr) {
  return follow(place, read, [](const std::string&) {});
}

/// Can a program replace the link? On the workspace axis, rights of the host's tools count too.
[[nodiscard]] inline bool is_replaceable(const loaded_policy& p, axis_id axis, std::string_view link) {
  for (const right r : {right::create, right::remove})
    if (process_may(p, r, link).allowed() || (axis == axis_id::workspace && host_tool_may(p, r, link).allowed()))
      return true;
  return false;
}

/// Is the link one of the system's own (/bin, /etc/alternatives)? Root may write even where only root may. So for a
/// program that runs as root, the link must lie among the system's files, and the policy must not grant changing it.
/// Links directly below / always count; otherwise a policy that opens / could have no presets.
[[nodiscard]] inline bool is_of_system(const link_on_the_way& link, const loaded_policy& p, axis_id axis,
                                       const link_facts& facts) {
  if (!link.only_root_writes) return false;
  const std::string_view dir = path::parent(link.place);
  if (!facts.as_root || dir == "/") return true;
  const auto system = preset_places::system(platform::linux_);
  return !is_replaceable(p, axis, link.place) &&
         std::any_of(system.begin(), system.end(), [&](std::string_view s) { return path::covers(s, dir); });
}

/// Is it a path that a preset names below home? Users keep toolchains and caches on other disks.
[[nodiscard]] inline bool is_of_preset(std::string_view place, std::string_view home) {
  if (home.empty() || home == place || !path::covers(home, place)) return false;
  place.remove_prefix(home == "/" ? 1 : home.size() + 1);
  for (const preset_places::preset_paths& row : preset_places::table)
    if (row.is_on(platform::linux_) && row.is_below_home() &&
        std::find(row.paths.begin(), row.paths.end(), place) != row.paths.end())
      return true;
  return false;
}

} // namespace cordon::detail
