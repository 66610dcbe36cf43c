// SPDX-License-Identifier: BSL-1.0
/// A document: the text of a user, not yet a policy. Fields are optional, and presets are names. `lower_lexically`
/// converts it to a policy for one host.
#pragma once

#include "../host/published_port.hpp"
#include "../host/set.hpp"
#include "../policy/heap.hpp"
#include "../policy/preset_id.hpp"
#include "host_facts.hpp"
#include "text_map.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace cordon::format {

/// The paths under home that the presets `developer_toolchains` and `package_manager_config` grant. `parts`: parts of
/// the directories, since tools keep tokens there as well. `whole`: these directories whole, as in CapabilityPolicy
/// documents.
enum class home_presets : std::uint8_t { parts, whole };

/// A path and its rights, in a document.
struct grant {
  std::string place; ///< in normal form
  rights allowed;    ///< what may be done there
};

/// The grant of a document for the paths that match a pattern.
struct glob_grant {
  axis_id axis;          ///< workspace, files or sockets
  rights allowed;        ///< what may be done at each path
  std::string pattern{}; ///< as written, without `glob:`
  std::string top{};     ///< the directory where the search starts, in normal form
  /// The number of paths that matched; no value: not searched yet.
  std::optional<std::size_t> places{};
};

/// A list that may also be *any* (empty optional); an empty list is *none*.
template <class T> using any_or = std::optional<std::vector<T>>;

/// The variables of a document.
struct environment_text {
  any_or<std::string> pass;        ///< names and prefixes of variables
  text_map set;                    ///< variables that are set, with their values
  std::vector<std::string> remove; ///< names and prefixes
};

inline namespace abi_0 {

/// Passes the variables that common programs of a system need.
void pass_basic_variables(environment_text& to, platform system);

} // namespace abi_0

/// Allowed hosts and the denied ones among them, both closed; an empty list is *none*.
struct host_lists {
  host_set<heap> allowed; ///< patterns that are allowed
  host_set<heap> denied;  ///< patterns that are denied within them
};

/// The socket axis of a document.
struct socket_lists {
  bool own = false;                     ///< sockets among the processes of the run
  std::vector<host::port_range> listen; ///< ports that may be listened on
  bool loopback = false;                ///< may the loopback interface be used?
  std::vector<std::string> unix_paths;  ///< in normal form
};

/// What a person wrote: each field may be left out. A policy is made of it by `lower_lexically` or `load_policy`.
struct document {
  std::uint32_t said = 0;                                      ///< axes that the document sets, even if only to "any"
  void say(axis a) { said |= 1U << static_cast<unsigned>(a); } ///< Notes that the document sets an axis.
  /// Does the document set the axis?
  [[nodiscard]] bool says(axis a) const { return (said >> static_cast<unsigned>(a) & 1U) != 0; }

  bool wants_root = false; ///< it names no workspace root; its format then takes the project's

  /// A policy read as a whole (notation). Of the other fields, `globs`, `presets` and `published` count.
  std::optional<loaded_policy> exact;
  /// All paths that it names, also those that change nothing.
  std::vector<grant> exact_workspace;
  std::vector<grant> exact_files;                ///< the same for the files axis
  std::vector<glob_grant> globs;                 ///< also of `exact`
  std::optional<cordon::profile> profile;        ///< left out: worktree
  std::optional<cordon::level> level;            ///< left out: any
  std::optional<cordon::fallback> fallback;      ///< left out: the default of the format
  any_or<std::string> capabilities;              ///< names of capabilities
  any_or<grant> workspace;                       ///< for the host's file tools
  any_or<grant> files;                           ///< for processes, beside the workspace
  std::optional<preset_set> presets;             ///< left out: `default_presets`
  home_presets under_home = home_presets::parts; ///< how much of the home presets is granted
  std::optional<host_lists> network;             ///< left out: any
  std::optional<socket_lists> sockets;           ///< left out: any
  /// Ports that a run accepts connections on. They are no part of the policy, which lists them as `listen` does.
  std::vector<host::published_port> published;
  std::optional<cordon::abilities> abilities;  ///< left out: spawn
  std::optional<cordon::syscalls> syscalls;    ///< left out: inherit
  std::vector<std::string> denied_calls;       ///< names of calls, in addition to those of `syscalls`
  cordon::limits limits;                       ///< those that are left out are unlimited
  std::optional<environment_text> environment; ///< left out: any
  any_or<std::string> executables;             ///< the programs that may be started
  std::optional<bool> interpreters;            ///< may interpreters be started? Left out: yes
};

inline namespace abi_0 {

/// True if the document grants an operation; a document without a list of operations grants all.
[[nodiscard]] bool grants_operation(const document& d, std::string_view operation);

/// True if the document lets processes and tools write in the workspace.
[[nodiscard]] bool writes_workspace(const document& d);
/// True if the document lets them remove files there.
[[nodiscard]] bool removes_in_workspace(const document& d);

/// Removes from `base` every axis that `d` sets, so that base applies only to axes that `d` does not set.
void leave_out_what_is_said(document& base, const document& d);

/// Sets the axes with a default to a value that no meet changes. For a document that is composed with others and must
/// not narrow them there.
void open_defaults(document& d);

} // namespace abi_0

} // namespace cordon::format
