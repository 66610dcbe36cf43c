// SPDX-License-Identifier: BSL-1.0
/// The environment as hosts of tools give it for one call: `{"env": {...}, "env_mode": ..., "env_remove": [...]}`. What it
/// becomes is an environment axis like any other: met with a policy's it never widens that.
#pragma once

#include "cordon_json.hpp"

namespace cordon::format {

enum class environment_mode : std::uint8_t {
  merge,   ///< the caller's variables pass, those given stand above them
  replace, ///< those given, and nothing else
  patch,   ///< as merge; the word of hosts that also take variables away
};

inline constexpr std::array<std::string_view, 3> environment_mode_names{"merge", "replace", "patch"};

[[nodiscard]] inline environment_text lower(environment_mode mode, std::map<std::string, std::string> given,
                                            std::vector<std::string> removed = {}) {
  environment_text to;
  if (mode == environment_mode::replace) to.pass.emplace();
  to.set = std::move(given);
  to.remove = std::move(removed);
  return to;
}

/// Every key may be left out: merge, none, none. Throws bad_document.
[[nodiscard]] inline environment_text read_environment_call(const json::text& text) {
  environment_mode mode = environment_mode::merge;
  std::map<std::string, std::string> given;
  std::vector<std::string> removed;
  json::node(text).members("an object", [&](std::string_view key, const json::node& n) {
    if (key == "env_mode") mode = read_word<environment_mode>(n, environment_mode_names);
    else if (key == "env_remove") removed = read_names(n, detail::variable_patterns, detail::is_variable_pattern);
    else if (key == "env") given = detail::read_variables(n);
    else n.unknown_key("env env_mode env_remove");
  });
  return lower(mode, std::move(given), std::move(removed));
}

/// Names of variables that a call sets and the policy does not let it have, in order: the program starts without them,
/// which a host of tools tells its caller. O(n log m).
template <class S>
[[nodiscard]] std::vector<std::string> not_passed(const environment_text& of_call, const basic_policy<S>& p) {
  std::vector<std::string> names;
  for (const auto& [name, value] : of_call.set)
    if (p.environment().lookup(name) == variable::absent) names.push_back(name);
  return names;
}

} // namespace cordon::format
