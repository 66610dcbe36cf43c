// SPDX-License-Identifier: BSL-1.0
/// A document: what a person wrote, before it is a policy. Fields may be left out, presets are names. `lower_lexically` makes it a
/// policy for one host.
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

/// Fields such as `tools` and `tool_annotations` limit the tools of a host program. cordon confines processes and does not
/// enforce them: a document in which such a field says something is refused, unless the caller enforces it.
enum class tool_fields : std::uint8_t { refuse, skip };
inline constexpr std::array<std::string_view, 2> tool_fields_names{"refuse", "skip"};

/// What the presets `developer_toolchains` and `package_manager_config` name under home: parts of the directories where
/// tools keep tokens as well, or these directories whole, which is the meaning in CapabilityPolicy documents.
enum class home_presets : std::uint8_t { parts, whole };

/// A pattern (glob.hpp) to search a directory for, whose way there its components before `first` match.
struct glob_search {
  glob::pattern what;
  std::size_t first = 0;
};
/// Is told which pattern matches which place.
using found_match = std::function<void(std::size_t pattern, std::string place)>;

/// What a document is read against.
struct host_facts {
  platform system = platform::linux_;
  std::string home; ///< $HOME; empty where there is none
  std::string base; ///< directory that relative paths are relative to; empty where there is none
  /// Does a place of a preset exist? Null: all do. Set when a policy is loaded to be enforced.
  bool (*exists)(std::string_view) = nullptr;
  /// May a place that a preset hides exist, though it cannot be looked up now? Null: as `exists` says.
  bool (*may_exist)(std::string_view) = nullptr;
  /// The interpreters that the kernel runs for the program at a place. Null: none are known.
  std::vector<std::string> (*interpreters_of)(std::string_view) = nullptr;
  /// What becomes of fields by which a document limits the tools of its own host program.
  tool_fields tools = tool_fields::refuse;
  /// The workspace roots of a document in whose format a run gives it the project's where it names none; empty where there
  /// is no project. Left out: this is no run.
  std::optional<std::vector<std::string>> project{};
  /// The names in a directory; nothing where it cannot be listed, or has so many that look-ups are faster. Null: no
  /// directory is listed.
  std::optional<std::vector<std::string>> (*names_in)(std::string_view directory) = nullptr;
  /// Searches a directory for what matches patterns. Null: patterns match nothing.
  void (*find_matches)(const std::string& directory, const std::vector<glob_search>&, const found_match&) = nullptr;
};

struct grant {
  std::string place; ///< in normal form
  rights allowed;
};

/// What a document says of the places that match a pattern.
struct glob_grant {
  axis_id axis; ///< workspace, files or sockets
  rights allowed;
  std::string pattern{}; ///< as it is written, without `glob:`
  std::string top{};     ///< the directory where it starts, in normal form
  /// How many places it matched when they were searched for; left out: they were not yet.
  std::optional<std::size_t> places{};
};

/// A list that may also be *any* (empty optional); an empty list is *none*.
template <class T> using any_or = std::optional<std::vector<T>>;

struct environment_text {
  any_or<std::string> pass; ///< names and prefixes of variables
  std::map<std::string, std::string> set;
  std::vector<std::string> remove; ///< names and prefixes
};

/// Lets the variables pass that common programs of a system need.
inline void pass_basic_variables(environment_text& to, platform system) {
  if (!to.pass) to.pass.emplace();
  to.pass->insert(to.pass->end(), std::begin(basic_variables), std::end(basic_variables));
  if (system == platform::windows)
    to.pass->insert(to.pass->end(), std::begin(basic_windows_variables), std::end(basic_windows_variables));
}

/// Allowed hosts and the denied ones among them, both closed; empty lists are *none*.
struct host_lists {
  host_set<heap> allowed, denied;
};

struct socket_lists {
  std::vector<host::port_range> listen;
  bool loopback = false;
  std::vector<std::string> unix_paths; ///< in normal form
};

struct document {
  std::uint32_t said = 0; ///< axes that the document speaks about, if only to say "any"
  void say(axis a) { said |= 1U << static_cast<unsigned>(a); }
  [[nodiscard]] bool says(axis a) const { return (said >> static_cast<unsigned>(a) & 1U) != 0; }

  bool wants_root = false; ///< it names no workspace root; in its format those are then the project's

  /// A policy read as a whole (notation): the other fields are not looked at.
  std::optional<loaded_policy> exact;
  /// All places that it names, also those of which it says nothing new.
  std::vector<grant> exact_workspace, exact_files;
  std::vector<glob_grant> globs; ///< also of `exact`
  std::optional<cordon::profile> profile;
  std::optional<cordon::level> level;
  std::optional<cordon::fallback> fallback;
  any_or<std::string> capabilities;
  any_or<grant> workspace;
  any_or<grant> files;
  /// Left out: the four and `credentials`.
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

/// Does the document grant an operation, if only by naming none?
[[nodiscard]] inline bool grants_operation(const document& d, std::string_view operation) {
  return !d.capabilities ||
         std::find(d.capabilities->begin(), d.capabilities->end(), operation) != d.capabilities->end();
}

/// Does the document let processes and tools write in the workspace?
[[nodiscard]] inline bool writes_workspace(const document& d) { return grants_operation(d, "workspace.write_text"); }
/// Or remove there?
[[nodiscard]] inline bool removes_in_workspace(const document& d) { return grants_operation(d, "workspace.delete"); }

/// Leaves out of `base` every axis that `d` speaks about, so that base only says what nobody else does.
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

/// Sets the axes that have a default when they are left out to what a meet leaves as it is, for a document that is
/// composed with others and must not narrow them there.
inline void open_defaults(document& d) {
  d.profile = profile::unrestricted;
  d.fallback = fallback::off;
  d.abilities = abilities::any();
  d.syscalls = syscalls::inherit;
}

} // namespace cordon::format
