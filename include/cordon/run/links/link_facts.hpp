// SPDX-License-Identifier: BSL-1.0
/// Facts about the symbolic links of this host, which a policy does not contain.
#pragma once

#include "../../format/text_map.hpp"
#include "../../policy/rights.hpp"

#include <optional>
#include <string>
#include <vector>

namespace cordon {

/// A path as the policy names it, and the rights that it grants there.
struct named_place {
  std::string place; ///< absolute, in normal form
  rights allowed;    ///< the rights there
};
/// The paths that documents name, by axis.
struct named_places {
  std::vector<named_place> workspace; ///< of the workspace axis
  std::vector<named_place> files;     ///< of the files axis
};

/// A symbolic link in a path, as it was read.
struct link_on_the_way {
  std::string place;  ///< path of the link, with its directory resolved
  std::string target; ///< the text of the link
  /// Could only root create or remove entries in the link's directory?
  bool only_root_writes = false;
  bool only_caller_writes = false; ///< The same for the caller.

  friend bool operator==(const link_on_the_way&, const link_on_the_way&) = default; ///< Compares every member.
};

/// Reads the link `name` in a resolved directory. Returns: empty if it is not a link. Throws: `refused` if the
/// directory has become a link, or now lies behind one.
using link_reader = std::optional<link_on_the_way> (*)(const std::string& directory, const std::string& name);

/// A name that was looked up before the policy was resolved.
struct judged_name {
  std::string name;                     ///< for messages
  std::string real;                     ///< the resolved path
  std::vector<link_on_the_way> links{}; ///< the links on the path
};

/// Facts about paths that a policy does not contain.
struct link_facts {
  /// Null: links are read by name, and no directory counts as writable by root alone.
  link_reader read = nullptr;
  /// Does the program run as root? If so, a directory that only root writes protects a link only among the system's
  /// files.
  bool as_root = true;
  std::string home; ///< empty if unknown
  /// Returns the directory in which a program of an earlier run may have created the link; empty: none could have
  /// (planted.hpp). Null: no such directory is known.
  std::string (*planted_in)(const link_on_the_way& link) = nullptr;
  /// Paths that were, or may have been, written relative to a directory, with that directory.
  text_map beneath{};
  /// All paths that the documents of the policy name. A policy drops an entry that changes nothing at its name,
  /// although the entry may change something at the target of a link.
  named_places named{};
  /// If a link now lies on one of these resolved paths, it is new, and the policy is refused. So is a policy that lets
  /// the program replace one of the links that led to such a path.
  std::vector<judged_name> judged{};
  /// Resolved paths that may be missing although the policy grants something there, since an empty file or directory
  /// takes their place (`project_setting`).
  std::vector<std::string> may_be_missing{};
};

inline namespace abi_0 {

/// The facts of this host, for a program that runs as the caller's user.
[[nodiscard]] link_facts links_of_host(std::string home);

} // namespace abi_0

} // namespace cordon
