// SPDX-License-Identifier: BSL-1.0
/// Resolves the paths of a policy for enforcement. Symbolic links are resolved once, before anything is opened; the
/// shim refuses a path that has become a link since. If two paths resolve to one, both grants must allow a right there.
/// A link that moves a grant elsewhere, or leaves a path unprotected, is refused (links.hpp defines which links are
/// trusted).
#pragma once

#include "../policy/heap.hpp"
#include "links/link_facts.hpp"
#include "refused.hpp"

#include <vector>

namespace cordon {

inline namespace abi_0 {

/// Returns: the policy with the paths of both path axes resolved. Throws: `refused` if a link would move a grant to a
/// path that the policy does not name, or would leave a denied path open. Stores in `on_the_way` the links on paths
/// that are granted to processes, each once. O(n) look-ups.
[[nodiscard]] loaded_policy resolve(const loaded_policy& p, const link_facts& facts,
                                    std::vector<link_on_the_way>* on_the_way = nullptr);
/// The same without facts: links are read by name.
[[nodiscard]] loaded_policy resolve(const loaded_policy& p);

} // namespace abi_0

} // namespace cordon
