// SPDX-License-Identifier: BSL-1.0
/// Questions to a policy in words, and their answers as text.
#pragma once

#include <cordon/policy/heap.hpp>
#include <cordon/query/explain.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace cordon::shim {

/// One question: about a path with a right, a host, a URL, a system call, an ability, a variable, a capability or a
/// command line.
struct question {
  std::string words;             ///< as the user wrote it
  std::string kind, subject;     ///< path, host, url, syscall, ability, env, capability or exec; its subject
  std::string right;             ///< of a path
  bool in_process = false;       ///< a path: is the file tool of a host program meant, and not the program?
  std::vector<std::string> argv; ///< of exec
};

/// The verdict of one backend's rules: allow or refuse; none if there are no rules.
struct backend_verdict {
  std::string_view backend, verdict;
};

/// The path behind the symbolic links of this host.
struct resolved_path {
  std::string path;
  ruling verdict;
};

struct answer {
  cordon::verdict verdict;
  std::string clause; ///< empty: none
  std::string reason; ///< in words; empty: none
  std::optional<resolved_path> resolved;
  std::optional<std::vector<backend_verdict>> backends;
  std::uint32_t line = 0; ///< of the clause in the text of the policy, counted from 1; 0: not known
};

/// `directory`: the working directory of a command line. Throws: std::invalid_argument for an unknown right.
[[nodiscard]] answer ask(const loaded_policy& p, const question& q, const std::string& directory);

/// One object as a line.
[[nodiscard]] std::string as_json(const question& q, const answer& a);
/// One line, escaped.
[[nodiscard]] std::string as_text(const question& q, const answer& a);

} // namespace cordon::shim
