// SPDX-License-Identifier: BSL-1.0
/// The rules of a backend and their gaps, as text.
#pragma once

#include <cordon/backend/rules_system.hpp>
#include <cordon/policy/heap.hpp>
#include <cordon/run/reported.hpp>

#include <optional>
#include <string>
#include <vector>

namespace cordon::shim {

struct rules_text {
  std::string rules;
  std::vector<reported_gap> gaps;
};

/// Explains why a backend makes no rules for a policy.
[[nodiscard]] std::string refusal(const diagnostic& d);

/// The system whose rules a backend makes. Throws: std::invalid_argument with the known names for an unknown one.
[[nodiscard]] rules_system system_of_backend(const std::string& backend);

/// `target`: a name of the backend; left out: its first one. Throws: std::invalid_argument for an unknown name, and if
/// the backend makes no rules for the policy.
[[nodiscard]] rules_text compile_to_text(const loaded_policy& p, const std::string& backend,
                                         const std::optional<std::string>& target);

/// One gap as a line without its end, not escaped.
[[nodiscard]] std::string line_of(const reported_gap& g);

} // namespace cordon::shim
