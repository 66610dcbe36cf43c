// SPDX-License-Identifier: BSL-1.0
/// From a file, a text or a document to a policy that can be enforced on this host. A policy keeps only what its clauses
/// change, by the names that they have in the document. `hide link/secret` changes nothing where `link` itself is not
/// granted, and is dropped, although the link may lead into a granted directory. So a policy for a run needs the names
/// too: `load_policy` keeps both; `format::lower_lexically` keeps the policy alone.
#pragma once

#include "../format/document.hpp"
#include "resolve.hpp"
#include "run.hpp"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace cordon {

/// A policy, and what enforcing it on this host takes beside it.
struct host_policy {
  loaded_policy policy{};
  link_facts links{};     ///< all names in the documents, and the directories that they were relative to
  std::uint32_t said = 0; ///< the axes that some document speaks about (`format::document::says`)
  std::optional<fallback> written_fallback{}; ///< the strictest that a document writes
  std::vector<matched_glob> globs{};          ///< the patterns in the documents, which stand for what existed

  [[nodiscard]] bool says(axis a) const { return (said >> static_cast<unsigned>(a) & 1U) != 0; }
};

/// Is a policy met with others before its places are resolved?
enum class composed : std::uint8_t { no, yes };

/// The platform, $HOME and the current directory; places of presets count where they exist. Throws `refused` where the
/// current directory is gone.
[[nodiscard]] format::host_facts facts_of_host();

/// Reads a policy file of any format. Relative paths in it are relative to its directory. Throws bad_document, `refused`.
/// O(n log n) in the clauses, and a look-up for each component of their places.
[[nodiscard]] host_policy load_policy(const std::string& file, const format::host_facts& facts = facts_of_host());

/// The same from a text; `name` stands for it in messages, and relative paths are relative to `facts.base`.
[[nodiscard]] host_policy load_policy_text(std::string name, std::string text,
                                           const format::host_facts& facts = facts_of_host());

/// The same from a document, whose relative paths were relative to `facts.base`. `composed::no` saves the look-ups, for a
/// policy that is resolved as it is.
[[nodiscard]] host_policy load_policy(const format::document& d, const format::host_facts& facts,
                                      composed how = composed::yes);

/// What both allow: names that either document closes stay closed where links lead. Both must have been loaded with
/// `composed::yes`.
[[nodiscard]] host_policy operator&(const host_policy& a, const host_policy& b);

/// See `resolve`: the policy with its places resolved, for `prepare`. Throws `refused`.
[[nodiscard]] inline loaded_policy resolve(const host_policy& p) { return resolve(p.policy, p.links); }

/// A request to run `argv` under the policy.
[[nodiscard]] inline run_request request_for(host_policy p, std::vector<std::string> argv) {
  run_request request;
  request.policy = std::move(p.policy);
  request.links = std::move(p.links);
  request.asked.written_fallback = p.written_fallback;
  request.globs = std::move(p.globs);
  request.argv = std::move(argv);
  return request;
}

} // namespace cordon
