// SPDX-License-Identifier: BSL-1.0
/// Symbolic links on the way to a place, and which of them are believed. A link says what it says only as long as nobody
/// whom the policy confines may put another one in its stead, now or in an earlier run.
#pragma once

#include "../format/place.hpp"
#include "../policy/heap.hpp"
#include "../policy/preset.hpp"
#include "../query/query.hpp"

#include <algorithm>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace cordon {

/// A place as somebody named it, and what he gave it.
struct named_place {
  std::string place;
  rights allowed;
};
struct named_places {
  std::vector<named_place> workspace, files;
};

/// A symbolic link on the way to a place, as it was read.
struct link_on_the_way {
  std::string place;  ///< its directory resolved
  std::string target; ///< as it stands in the link
  /// Could only root make or remove entries of the directory in which it was read?
  bool only_root_writes = false;

  friend bool operator==(const link_on_the_way&, const link_on_the_way&) = default;
};

/// Reads the link `name` in a resolved directory; nothing where that is no link. Throws `refused` where the directory has
/// become a link itself, or lies behind one.
using link_reader = std::optional<link_on_the_way> (*)(const std::string& directory, const std::string& name);

/// A name that was looked up before the policy was resolved.
struct judged_name {
  std::string name;                     ///< for messages
  std::string real;                     ///< where it led
  std::vector<link_on_the_way> links{}; ///< by which links
};

/// What a policy does not know about its places.
struct link_facts {
  /// Null: links are read by name, and root alone writes in no directory.
  link_reader read = nullptr;
  /// Does the program run as root? Then that alone protects a link only among the files of the system.
  bool as_root = true;
  std::string home; ///< empty where there is none
  /// The root of the project around a directory, which a repository or a project file marks; empty where there is none.
  /// Null: no project is known. Programs of earlier runs may have made the links in it.
  std::string (*project_around)(const std::string& directory) = nullptr;
  /// Places that were written relative to a directory, or might have been, with that directory.
  std::map<std::string, std::string> beneath{};
  /// All that the documents of the policy name: a policy is without what says nothing new where it is written, and it may
  /// where links lead.
  named_places named{};
  /// A link that stands on the way to where one of them led has come since then, and is refused; so is a policy that lets
  /// the program replace a link by which it led there.
  std::vector<judged_name> judged{};
};

/// The facts of this host, for a program that runs as whoever asks.
[[nodiscard]] link_facts links_of_host(std::string home);

namespace detail {

/// Where a place leads, and the links on the way there.
struct followed {
  std::string end = "/";
  std::vector<link_on_the_way> links{};
};

/// As many links as the kernel follows (MAXSYMLINKS).
inline constexpr std::size_t most_links = 40;

[[nodiscard]] inline std::optional<link_on_the_way> read_by_name(const std::string& directory,
                                                                 const std::string& name) {
  std::string place = (directory == "/" ? directory : directory + "/") + name;
  std::error_code ec;
  const std::filesystem::path target = std::filesystem::read_symlink(path_at(place), ec);
  if (ec) return {};
  return link_on_the_way{std::move(place), target.is_absolute() ? place_of(target) : target.generic_string()};
}

/// Follows an absolute place, which may have `.` and `..`; components that do not exist stand for themselves. `visit` gets
/// each entry on the way, its directory resolved, before it is looked at. One look-up for each component.
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

/// May a program put something else where the link is? What is said about the host's tools, they may undo as well.
[[nodiscard]] inline bool is_replaceable(const loaded_policy& p, axis_id axis, std::string_view link) {
  for (const right r : {right::create, right::remove})
    if (process_may(p, r, link).allowed() || (axis == axis_id::workspace && host_tool_may(p, r, link).allowed()))
      return true;
  return false;
}

/// Is the link one of the system's own (/bin, /etc/alternatives)? For root, who may write where only root may, it must
/// lie among the files of the system and the policy must leave it alone; the links beside /usr stand in any case,
/// or a policy that opens the root directory could have no presets.
[[nodiscard]] inline bool is_of_system(const link_on_the_way& link, const loaded_policy& p, axis_id axis,
                                       const link_facts& facts) {
  if (!link.only_root_writes) return false;
  const std::string_view dir = path::parent(link.place);
  if (!facts.as_root || dir == "/") return true;
  const auto system = preset_places::system(platform::linux_);
  return !is_replaceable(p, axis, link.place) &&
         std::any_of(system.begin(), system.end(), [&](std::string_view s) { return path::covers(s, dir); });
}

/// Is that a place which a preset names under home? People keep toolchains and caches on other disks.
[[nodiscard]] inline bool is_of_preset(std::string_view place, std::string_view home) {
  if (home.empty() || home == place || !path::covers(home, place)) return false;
  place.remove_prefix(home == "/" ? 1 : home.size() + 1);
  const auto among = [&](preset_places::list all) { return std::find(all.begin(), all.end(), place) != all.end(); };
  using namespace preset_places;
  return among(home_toolchains) || among(home_config) || among(home_toolchain_parts) || among(home_config_parts);
}

} // namespace detail

} // namespace cordon
