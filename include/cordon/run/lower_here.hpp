// SPDX-License-Identifier: BSL-1.0
/// From a document to its policy on this host, where places may be named by way of symbolic links. A policy is kept
/// without what says nothing new, as it is written: that a place beyond a link is hidden, where nothing around the link is
/// granted, is left out before anybody has looked where the link leads.
#pragma once

#include "../format/lower.hpp"
#include "resolve.hpp"

#include <string>
#include <vector>

namespace cordon {

/// Is a policy composed with others before its places are resolved?
enum class composed : std::uint8_t { no, yes };

/// As `lower`. All names of the document are added to `named`, for `resolve`; if the policy is composed with others
/// before that, what they say bounds the places to which links lead at once, so that it stands. O(n log n), and a look-up
/// for each component of places of policies that are composed.
[[nodiscard]] inline loaded_policy lower_here(const format::document& d, const format::host_facts& facts, composed how,
                                              named_places& named) {
  loaded_policy p = format::lower(d, facts);
  const auto own = format::places_named_by(d, facts);
  const auto note = [&]<part P>(const std::vector<format::grant>& places, std::vector<named_place>& all) {
    std::vector<named_place> mine;
    for (const format::grant& g : places) mine.push_back({g.place, g.allowed});
    if (how == composed::yes) detail::bound_by<P>(p, mine);
    all.insert(all.end(), mine.begin(), mine.end());
  };
  note.template operator()<part::workspace>(own.workspace, named.workspace);
  note.template operator()<part::files>(own.files, named.files);
  return p;
}

} // namespace cordon
