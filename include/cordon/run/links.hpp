// SPDX-License-Identifier: BSL-1.0
/// Symbolic links on the way to a place, and which of them are believed. A link says what it says only as long as nobody
/// whom the policy confines may put another one in its stead, now or in an earlier run.
#pragma once

#include "../policy/heap.hpp"
#include "../policy/preset.hpp"
#include "../query/query.hpp"

#include <algorithm>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
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

/// A symbolic link on the way to a place that a policy grants.
struct link_on_the_way {
  std::string place;  ///< its directory resolved
  std::string target; ///< as it stands in the link
};

/// What a policy does not know about its places.
struct link_facts {
  /// May only root make or remove entries of a directory? Null: there is no such directory.
  bool (*only_root_writes)(const std::string& directory) = nullptr;
  /// Does the program run as root? Then that alone protects a link only among the files of the system.
  bool as_root = true;
  std::string home; ///< empty where there is none
  /// Places that were written relative to a directory, or might have been, with that directory.
  std::map<std::string, std::string> beneath{};
  /// All that the documents of the policy name: a policy is without what says nothing new where it is written, and it may
  /// where links lead.
  named_places named{};
};

/// The facts of this host, for a program that runs as whoever asks.
[[nodiscard]] link_facts links_of_host(std::string home);

namespace detail {

/// Where a place leads, and the links on the way there, each with its directory resolved.
struct followed {
  std::string end = "/";
  std::vector<std::string> links{};
};

/// As many links as the kernel follows (MAXSYMLINKS).
inline constexpr std::size_t most_links = 40;

/// Follows a place in normal form; components that do not exist stand for themselves. One look-up for each component.
[[nodiscard]] inline followed follow(const std::filesystem::path& place) {
  namespace fs = std::filesystem;
  followed to;
  std::vector<std::string> rest; // the next component last
  const auto put = [&](const fs::path& from) {
    const std::size_t old = rest.size();
    for (const fs::path& component : from.relative_path()) rest.push_back(component.string());
    std::reverse(rest.begin() + static_cast<std::ptrdiff_t>(old), rest.end());
  };
  for (put(place); !rest.empty();) {
    const std::string name = std::move(rest.back());
    rest.pop_back();
    if (name == "..") to.end = path::parent(to.end);
    if (name.empty() || name == "." || name == "..") continue;
    const std::string next = (to.end == "/" ? to.end : to.end + "/") + name;
    std::error_code ec;
    const fs::path target = fs::read_symlink(next, ec);
    if (ec || to.links.size() == most_links) {
      to.end = next;
      continue;
    }
    to.links.push_back(next);
    if (target.is_absolute()) to.end = "/";
    put(target);
  }
  return to;
}

/// May a program put something else where the link is? What is said about the host's tools, they may undo as well.
[[nodiscard]] inline bool is_replaceable(const loaded_policy& p, part axis, std::string_view link) {
  for (const right r : {right::create, right::remove})
    if (may_process(p, r, link).allowed() || (axis == part::workspace && may_host(p, r, link).allowed())) return true;
  return false;
}

/// Is the link one of the system's own (/bin, /etc/alternatives)? For root, who may write where only root may, it must
/// lie among the files of the system and the policy must leave it alone; the links beside /usr stand in any case,
/// or a policy that opens the root directory could have no presets.
[[nodiscard]] inline bool is_of_system(const std::string& link, const loaded_policy& p, part axis,
                                       const link_facts& facts) {
  const std::string dir(path::parent(link));
  if (facts.only_root_writes == nullptr || !facts.only_root_writes(dir)) return false;
  if (!facts.as_root || dir == "/") return true;
  const auto system = preset_places::system(platform::linux_);
  return !is_replaceable(p, axis, link) &&
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
