// SPDX-License-Identifier: BSL-1.0
/// A document: the text of a user, not yet a policy. Fields are optional, and presets are names. `lower_lexically`
/// converts it to a policy for one host.
#pragma once

#include "../host/set.hpp"
#include "../policy/environment.hpp"
#include "../policy/glob.hpp"
#include "../policy/heap.hpp"
#include "../policy/preset.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <iterator>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace cordon::format {

/// Fields such as `tools` and `tool_annotations` limit the tools of a host program. cordon confines processes and does
/// not enforce these fields. A document that sets one is refused, unless the caller enforces it.
enum class tool_fields : std::uint8_t { refuse, skip };
inline constexpr std::array<std::string_view, 2> tool_fields_names{"refuse", "skip"};

/// The paths under home that the presets `developer_toolchains` and `package_manager_config` grant. `parts`: parts of
/// the directories, since tools keep tokens there as well. `whole`: these directories whole, as in CapabilityPolicy
/// documents.
enum class home_presets : std::uint8_t { parts, whole };

/// A pattern (glob.hpp) to search a directory for. The components before `first` match the path to that directory.
struct glob_search {
  glob::pattern what;
  std::size_t first = 0;
};
/// Called for each match, with the index of the pattern and the path.
using found_match = std::function<void(std::size_t pattern, std::string place)>;

/// The facts about the host that reading a document needs.
struct host_facts {
  platform system = platform::linux_;
  std::string home; ///< $HOME; empty if unset
  std::string base; ///< directory that relative paths are relative to; empty if unknown
  /// Returns true if a path of a preset exists. Null: all exist. Set when a policy is loaded to be enforced.
  bool (*exists)(std::string_view) = nullptr;
  /// Returns true if a path that a preset hides may exist, even if it cannot be looked up now. Null: uses `exists`.
  bool (*may_exist)(std::string_view) = nullptr;
  /// The interpreters that the kernel runs for the program at a path. Null: none are known.
  std::vector<std::string> (*interpreters_of)(std::string_view) = nullptr;
  /// How to handle the fields by which a document limits the tools of its host program.
  tool_fields tools = tool_fields::refuse;
  /// The project's workspace roots, for a document without roots whose format then takes the project's. An empty list:
  /// there is no project. No value: this is not a run.
  std::optional<std::vector<std::string>> project{};
  /// The names in a directory. No value: the directory cannot be listed, or has so many names that look-ups are faster.
  /// Null: no directory is listed.
  std::optional<std::vector<std::string>> (*names_in)(std::string_view directory) = nullptr;
  /// Searches a directory for matches of patterns. Null: patterns match nothing.
  void (*find_matches)(const std::string& directory, const std::vector<glob_search>&, const found_match&) = nullptr;
};

struct grant {
  std::string place; ///< in normal form
  rights allowed;
};

/// The grant of a document for the paths that match a pattern.
struct glob_grant {
  axis_id axis; ///< workspace, files or sockets
  rights allowed;
  std::string pattern{}; ///< as written, without `glob:`
  std::string top{};     ///< the directory where the search starts, in normal form
  /// The number of paths that matched; no value: not searched yet.
  std::optional<std::size_t> places{};
};

/// A list that may also be *any* (empty optional); an empty list is *none*.
template <class T> using any_or = std::optional<std::vector<T>>;

struct environment_text {
  any_or<std::string> pass; ///< names and prefixes of variables
  std::map<std::string, std::string> set;
  std::vector<std::string> remove; ///< names and prefixes
};

/// Passes the variables that common programs of a system need.
inline void pass_basic_variables(environment_text& to, platform system) {
  if (!to.pass) to.pass.emplace();
  to.pass->insert(to.pass->end(), std::begin(basic_variables), std::end(basic_variables));
  if (system == platform::windows)
    to.pass->insert(to.pass->end(), std::begin(basic_windows_variables), std::end(basic_windows_variables));
}

/// Allowed hosts and the denied ones among them, both closed; an empty list is *none*.
struct host_lists {
  host_set<heap> allowed, denied;
};

struct socket_lists {
  std::vector<host::port_range> listen;
  bool loopback = false;
  std::vector<std::string> unix_paths; ///< in normal form
};

struct document {
  std::uint32_t said = 0; ///< axes that the document sets, even if only to "any"
  void say(axis a) { said |= 1U << static_cast<unsigned>(a); }
  [[nodiscard]] bool says(axis a) const { return (said >> static_cast<unsigned>(a) & 1U) != 0; }

  bool wants_root = false; ///< it names no workspace root; its format then takes the project's

  /// A policy read as a whole (notation): the other fields are ignored.
  std::optional<loaded_policy> exact;
  /// All paths that it names, also those that change nothing.
  std::vector<grant> exact_workspace, exact_files;
  std::vector<glob_grant> globs; ///< also of `exact`
  std::optional<cordon::profile> profile;
  std::optional<cordon::level> level;
  std::optional<cordon::fallback> fallback;
  any_or<std::string> capabilities;
  any_or<grant> workspace;
  any_or<grant> files;
  /// No value: the four and `credentials`.
  std::optional<std::vector<preset>> presets;
  home_presets under_home = home_presets::parts;
  std::optional<host_lists> network;
  std::optional<socket_lists> sockets;
  std::optional<cordon::abilities> abilities;
  std::optional<cordon::syscalls> syscalls;
  std::vector<std::string> denied_calls;
  cordon::limits limits;
  std::optional<environment_text> environment;
  any_or<std::string> executables;
  std::optional<bool> interpreters;
};

/// True if the document grants an operation; a document without a list of operations grants all.
[[nodiscard]] inline bool grants_operation(const document& d, std::string_view operation) {
  return !d.capabilities ||
         std::find(d.capabilities->begin(), d.capabilities->end(), operation) != d.capabilities->end();
}

/// True if the document lets processes and tools write in the workspace.
[[nodiscard]] inline bool writes_workspace(const document& d) { return grants_operation(d, "workspace.write_text"); }
/// True if the document lets them remove files there.
[[nodiscard]] inline bool removes_in_workspace(const document& d) { return grants_operation(d, "workspace.delete"); }

/// Removes from `base` every axis that `d` sets, so that base applies only to axes that `d` does not set.
inline void leave_out_what_is_said(document& base, const document& d) {
  const auto defer = [&](axis a, auto&... to) {
    if (d.says(a)) (to.reset(), ...);
  };
  defer(axis::level, base.level);
  defer(axis::capabilities, base.capabilities);
  defer(axis::workspace, base.workspace);
  defer(axis::files, base.files);
  defer(axis::hosts, base.network);
  defer(axis::sockets, base.sockets);
  defer(axis::abilities, base.abilities);
  defer(axis::syscalls, base.syscalls);
  defer(axis::environment, base.environment);
  defer(axis::guard, base.executables, base.interpreters);
}

/// Sets the axes with a default to a value that no meet changes. For a document that is composed with others and must
/// not narrow them there.
inline void open_defaults(document& d) {
  d.profile = profile::unrestricted;
  d.fallback = fallback::off;
  d.abilities = abilities::any();
  d.syscalls = syscalls::inherit;
}

} // namespace cordon::format
