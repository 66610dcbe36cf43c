// SPDX-License-Identifier: BSL-1.0
/// The environment of one call, as tool hosts give it: `{"env": {...}, "env_mode": ..., "env_remove": [...]}`. The
/// result is an ordinary environment axis: its meet with a policy's axis never widens the policy.
#pragma once

#include "cordon_json.hpp"
#include "environment_mode.hpp"

namespace cordon::format {

/// Every key is optional; defaults: merge, none, none. Throws: bad_document.
[[nodiscard]] inline environment_text read_environment_call(const json::text& text) {
  environment_mode mode = environment_mode::merge;
  text_map given;
  std::vector<std::string> removed;
  json::node(text).members("an object", [&](std::string_view key, const json::node& n) {
    if (key == "env_mode") mode = read_word<environment_mode>(n, environment_mode_names);
    else if (key == "env_remove") removed = read_names(n, detail::variable_patterns, detail::is_variable_pattern);
    else if (key == "env") given = detail::read_variables(n);
    else n.unknown_key("env env_mode env_remove");
  });
  return lower(mode, std::move(given), std::move(removed));
}

/// Names of variables that a call sets and the policy denies, in order. The program starts without them, and a tool
/// host should report them to its caller. O(n log m).
template <class S>
[[nodiscard]] std::vector<std::string> not_passed(const environment_text& of_call, const basic_policy<S>& p) {
  std::vector<std::string> names;
  for (const auto& [name, value] : of_call.set)
    if (p.environment().lookup(name) == variable::absent) names.push_back(name);
  return names;
}

} // namespace cordon::format
