// SPDX-License-Identifier: BSL-1.0
/// Common parts of the commands that read policy files.
#pragma once

#include "../common/policy_source.hpp"
#include "subcommand.hpp"

#include <optional>
#include <string>
#include <vector>

namespace cordon::cli {

/// The policy of one file for this host, its paths not resolved. Throws: bad_document.
[[nodiscard]] loaded_policy load(const std::string& file);
[[nodiscard]] loaded_policy load(const shim::policy_source& source);

/// The system for which rules are made, if it is not this machine's.
struct system_options {
  std::optional<std::string> system, home;

  void add_to(subcommand& c);
  /// The facts for reading a document for such rules. Throws: usage_error.
  [[nodiscard]] format::host_facts facts(const rules_system& rules) const;
};

/// Prints gaps on stderr.
void print_gaps(const std::vector<reported_gap>& gaps);

} // namespace cordon::cli
