// SPDX-License-Identifier: BSL-1.0
/// Loads a file, a text or a document into a policy that this host can enforce. A policy keeps only the clauses that
/// change something, by the names in the document. `hide link/secret` changes nothing if `link` itself is not granted,
/// so the policy drops it; but the link may lead into a granted directory. So a run needs the names too: `load_policy`
/// keeps both, `format::lower_lexically` only the policy.
#pragma once

#include "../format/host_facts.hpp"
#include "../host/published_port.hpp"
#include "../policy/axis.hpp"
#include "resolve.hpp"
#include "run.hpp"

#include <optional>
#include <string>
#include <vector>

namespace cordon {

namespace format {
struct document;
} // namespace format

/// A policy, and what else is needed to enforce it on this host.
struct host_policy {
  loaded_policy policy{}; ///< with the paths as they were written
  link_facts links{};     ///< all names in the documents, and the directories that they are relative to
  std::uint32_t said = 0; ///< the axes that a document sets (`format::document::says`)
  std::optional<fallback> written_fallback{};    ///< the strictest one in the documents
  std::vector<matched_glob> globs{};             ///< the patterns in the documents, replaced by the paths that existed
  std::vector<host::published_port> published{}; ///< the ports that a run is to accept connections on
  std::vector<format::granted_service> services{}; ///< the services of the caller that presets grant

  /// Does a document set the axis?
  [[nodiscard]] bool says(axis a) const { return (said >> static_cast<unsigned>(a) & 1U) != 0; }
};

/// Is the policy combined with others before its paths are resolved?
enum class composed : std::uint8_t { no, yes };

inline namespace abi_0 {

/// The platform, $HOME and the current directory; preset paths count only if they exist. Throws: `refused` if the
/// current directory no longer exists.
[[nodiscard]] format::host_facts facts_of_host();

/// Reads a policy file of any format. Relative paths in it are relative to its directory. A document of a format that takes
/// its roots from the project needs `facts.project`. Throws: bad_document, `refused`. O(n log n) in the clauses, plus one look-up for each component of their paths.
[[nodiscard]] host_policy load_policy(const std::string& file, const format::host_facts& facts = facts_of_host());

/// The same from a text. `name` is the file name for messages; relative paths are relative to `facts.base`.
[[nodiscard]] host_policy load_policy_text(std::string name, std::string text,
                                           const format::host_facts& facts = facts_of_host());

/// The same from a document, whose relative paths are relative to `facts.base`. `composed::no` saves the look-ups, for
/// a policy that is resolved alone.
[[nodiscard]] host_policy load_policy(const format::document& d, const format::host_facts& facts,
                                      composed how = composed::yes);

/// The policy that grants what both grant. What either document denies at a name stays denied at the target of links.
/// Both must have been loaded with `composed::yes`.
[[nodiscard]] host_policy operator&(const host_policy& a, const host_policy& b);

/// Returns: the policy with its paths resolved, for `prepare`; see `resolve` in resolve.hpp. Throws: `refused`.
[[nodiscard]] loaded_policy resolve(const host_policy& p);

/// A request to run `argv` under the policy.
[[nodiscard]] run_request request_for(host_policy p, std::vector<std::string> argv);

} // namespace abi_0

} // namespace cordon
