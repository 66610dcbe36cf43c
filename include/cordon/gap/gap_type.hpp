// SPDX-License-Identifier: BSL-1.0
/// Types of gaps: what a mechanism cannot say, which questions that explains, and how it is told.
#pragma once

#include "../policy/path_tree.hpp"
#include "../policy/rights.hpp"
#include "../query/process_feature.hpp"

#include <cstdint>
#include <string_view>

namespace cordon {

/// How the rules differ from the policy at a gap.
enum class gap_kind : std::uint8_t {
  tightened,  ///< the rules deny more than the policy
  unenforced, ///< the mechanism cannot deny what the policy does
};

[[nodiscard]] constexpr std::string_view name(gap_kind k) {
  return k == gap_kind::tightened ? "tightened" : "unenforced";
}

/// Which places a gap is about, as seen from its own place. A gap without a place is about all places.
enum class gap_extent : std::uint8_t {
  place,    ///< the place itself
  children, ///< what lies directly in it
  entry,    ///< what the policy's clause at the place decides: the place and what lies beneath, up to the next clause
  beneath,  ///< the place and everything beneath it
};

struct gap_type {
  std::string_view id; ///< `backend.gap_type`
  gap_kind kind;
  cordon::rights rights;        ///< the rights on whose questions rules and policy may differ
  gap_extent extent;            ///< and the places
  process_features features{};  ///< the process features, likewise
  std::string_view description; ///< a sentence for a person
  cordon::rights
      excluded_rights{}; ///< of `rights`, what it does not explain of what lies there as it stands, by either of its names
};

/// Does a gap of that type, found at `at` (empty: everywhere), explain a difference at a place? `files` is the policy's
/// axis. O(log n + depth).
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
