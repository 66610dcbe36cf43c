// SPDX-License-Identifier: BSL-1.0
/// What the readers of documents need to know of a host.
#pragma once

#include "../platform.hpp"
#include "../policy/glob.hpp"
#include "callback.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace cordon::format {

/// Fields such as `tools` and `tool_annotations` limit the tools of a host program. cordon confines processes and does
/// not enforce these fields. A document that sets one is refused, unless the caller enforces it.
enum class tool_fields : std::uint8_t { refuse, skip };
/// Names of the enumerators, by value.
inline constexpr std::array<std::string_view, 2> tool_fields_names{"refuse", "skip"};

/// A pattern (glob.hpp) to search a directory for. The components before `first` match the path to that directory.
struct glob_search {
  glob::pattern what;    ///< the pattern
  std::size_t first = 0; ///< index of the first match in the list of paths
};
/// Called for each match, with the index of the pattern and the path.
using found_match = callback<void(std::size_t pattern, std::string place)>;

/// The facts about the host that reading a document needs.
struct host_facts {
  platform system = platform::linux_; ///< the system whose presets and paths count
  std::string home;                   ///< $HOME; empty if unset
  std::string base;                   ///< directory that relative paths are relative to; empty if unknown
  /// Returns true if a path of a preset exists. Null: all exist. Set when a policy is loaded to be enforced.
  bool (*exists)(std::string_view) = nullptr;
  /// Returns true if a path that a preset hides may exist, even if it cannot be looked up now. Null: uses `exists`.
  bool (*may_exist)(std::string_view) = nullptr;
  /// The value of a variable of the caller; empty if it has none. Null: none are known.
  std::string (*variable)(const char* name) = nullptr;
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
  /// The files and directories below a directory that their modes close to other users, although the caller may read
  /// them; none below another. Null: none are known. Set for root, whose programs have the rights of their owner.
  std::vector<std::string> (*closed_below)(std::string_view directory) = nullptr;
  /// The home of the caller's account, whose tokens are hidden as well; empty if unknown.
  std::string account_home{};
};

} // namespace cordon::format
