// SPDX-License-Identifier: BSL-1.0
/// Names that the caller gives to cordon itself: a directory to run in or for writing, a policy, a report, a record or a
/// key. The last writer of a link chooses its target, so cordon follows no link that a confined program may have created.
#pragma once

#include "links/link_checks.hpp"

namespace cordon {

/// Throws: `refused` if a program of an earlier run may have created a link on the path.
inline void check_way(const judged_name& way, const link_facts& links) {
  if (links.planted_in == nullptr) return;
  for (const link_on_the_way& link : way.links)
    if (!links.planted_in(link).empty())
      detail::refuse_link(way.name, link.place, "that a program of an earlier run may have made", way.real);
}

} // namespace cordon
