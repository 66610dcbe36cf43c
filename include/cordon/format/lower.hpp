// SPDX-License-Identifier: BSL-1.0
/// Converts a document to its policy on one host.
#pragma once

#include "document.hpp"

#include <vector>

namespace cordon::format {

inline namespace abi_0 {

/// The same document with the paths of its presets and patterns listed, so that the host is searched for them only
/// once.
[[nodiscard]] document expanded(const document& from, const host_facts& facts);

} // namespace abi_0

/// The paths of both path axes that a document names, with their rights. An axis that is *any* has none.
struct named_places {
  std::vector<grant> workspace; ///< of the workspace axis
  std::vector<grant> files;     ///< of the files axis
};
inline namespace abi_0 {

/// The paths that a document names. Throws: bad_document for a path that no policy can hold.
[[nodiscard]] named_places places_named_by(const document& d, const host_facts& facts);

/// The policy of a document on a host, from the paths in the document alone. Symbolic links are not followed: if the
/// document denies a link's path, the link's target may stay open. For checks, proofs and rules of other systems; use
/// `load_policy` (run/load.hpp) for a policy to enforce. A missing axis is *any*, except profile (worktree), abilities
/// (spawn), syscalls (inherit) and fallback (enforce). O(n log n) in the entries.
[[nodiscard]] loaded_policy lower_lexically(const document& d, const host_facts& facts);

} // namespace abi_0

} // namespace cordon::format
