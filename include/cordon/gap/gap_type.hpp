// SPDX-License-Identifier: BSL-1.0
/// Topics of gaps: what a mechanism cannot say, which questions that explains, and how it is told.
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
enum class scope : std::uint8_t {
  place,    ///< the place itself
  children, ///< what lies directly in it
  entry,    ///< what the policy's clause at the place decides: the place and what lies beneath, up to the next clause
  beneath,  ///< the place and everything beneath it
};

struct topic {
  std::string_view what; ///< `backend.topic`
  gap_kind kind;
  rights about;          ///< the rights on whose questions rules and policy may differ
  scope where;           ///< and the places
  facilities of{};       ///< the facilities, likewise
  std::string_view text; ///< a sentence for a person
  rights exact{}; ///< of `about`, what it does not explain of what lies there as it stands, by either of its names
};

/// Does a gap on that topic, found at `at` (empty: everywhere), explain a difference at a place? `files` is the policy's
/// axis. O(log n + depth).
[[nodiscard]] constexpr bool explains(const topic& t, std::string_view at, step<path_tree> files, right what,
                                      std::string_view place, bool permitted) {
  if (!t.about.has(what) || permitted != (t.kind == gap_kind::unenforced)) return false;
  if (at.empty()) return true;
  switch (t.where) {
  case scope::place: return place == at;
  case scope::children: return place != "/" && path::parent(place) == at;
  case scope::entry: return files.find(place) == files.find(at) && path::covers(at, place);
  case scope::beneath: return path::covers(at, place);
  }
  return false;
}

} // namespace cordon
