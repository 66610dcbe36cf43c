// SPDX-License-Identifier: BSL-1.0
/// Common parts of the commands that read policy files.
#pragma once

#include "subcommand.hpp"

#include <cordon/backend/backends.hpp>
#include <cordon/format/read.hpp>
#include <cordon/run/globs.hpp>

#include <optional>
#include <string>

namespace cordon::cli {

/// The policy of one file for this host, its paths not resolved. Throws: bad_document.
[[nodiscard]] loaded_policy load(const std::string& file);

/// The system for which rules are made, if it is not this machine's.
struct system_options {
  std::optional<std::string> system, home;

  void add_to(subcommand& c);
  /// The facts for reading a document for such rules: presets, temporary files and home of that system, and no file of
  /// this machine if the system is another one. Throws: usage_error.
  [[nodiscard]] format::host_facts facts(const rules_system& rules) const;
};

/// A file that is read once, and gives one policy for each system.
class policy_file {
public:
  /// Throws: bad_document.
  explicit policy_file(const std::string& file) : name_(file), content_(format::content_of(file)) {}
  /// Its policy with these facts, paths not resolved, and the gaps that its patterns leave. Throws: bad_document,
  /// `refused`.
  [[nodiscard]] loaded_policy load(format::host_facts facts, std::vector<reported_gap>& gaps) const;
  /// The same; prints the gaps of the patterns on stderr.
  [[nodiscard]] loaded_policy load(format::host_facts facts) const;

private:
  std::string name_, content_;
};

/// Prints gaps on stderr.
void tell(const std::vector<reported_gap>& gaps);

/// Explains why a backend makes no rules for a policy.
[[nodiscard]] std::string refusal(const diagnostic& d);

} // namespace cordon::cli
