// SPDX-License-Identifier: BSL-1.0
/// Gap types: what a mechanism cannot enforce exactly, which differences that explains, and a description for users.
#pragma once

#include "../policy/path_tree.hpp"
#include "../policy/rights.hpp"
#include "../query/process_feature.hpp"

#include <array>
#include <cstdint>
#include <string_view>

namespace cordon {

/// How the rules differ from the policy at a gap.
enum class gap_kind : std::uint8_t {
  tightened,  ///< the rules deny more than the policy
  unenforced, ///< the mechanism cannot deny everything that the policy denies
};

/// Returns: the name of the kind, as in reports.
[[nodiscard]] constexpr std::string_view name(gap_kind k) {
  return k == gap_kind::tightened ? "tightened" : "unenforced";
}

/// The paths to which a gap applies, relative to its place. A gap without a place applies to all paths.
enum class gap_extent : std::uint8_t {
  place,    ///< the path itself
  children, ///< the entries of that directory
  entry,    ///< what the policy's clause for the path decides: the path and all beneath it, up to the next clause
  beneath,  ///< the path and everything beneath it
};

/// Names of the enumerators, by value.
inline constexpr std::array<std::string_view, 4> gap_extent_names{"place", "children", "entry", "beneath"};
/// Returns: the name of the extent.
[[nodiscard]] constexpr std::string_view name(gap_extent e) { return gap_extent_names[static_cast<std::size_t>(e)]; }

/// What a mechanism cannot express, of one kind.
struct gap_type {
  std::string_view id;          ///< `backend.gap_type`
  gap_kind kind;                ///< does it permit more than the policy, or less?
  cordon::rights rights;        ///< the rights on which rules and policy may differ
  gap_extent extent;            ///< the paths on which they may differ
  process_features features{};  ///< the process features on which they may differ
  std::string_view description; ///< a sentence for users
  cordon::rights
      excluded_rights{}; ///< those of `rights` that it does not explain for an existing file, by either of its names
};

/// Does a gap of that type at `at` (empty: everywhere) explain a difference on a path? `files` is the files axis of the
/// policy. O(log n + depth).
[[nodiscard]] constexpr bool explains(const gap_type& t, std::string_view at, step_function<path_tree> files,
                                      right what, std::string_view place, bool permitted) {
  if (!t.rights.has(what) || permitted != (t.kind == gap_kind::unenforced)) return false;
  if (at.empty()) return true;
  switch (t.extent) {
  case gap_extent::place: return place == at;
  case gap_extent::children: return place != "/" && path::parent(place) == at;
  case gap_extent::entry: return files.find(place) == files.find(at) && path::covers(at, place);
  case gap_extent::beneath: return path::covers(at, place);
  }
  return false;
}

} // namespace cordon
