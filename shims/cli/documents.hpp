// SPDX-License-Identifier: BSL-1.0
/// What the commands over policy files share.
#pragma once

#include "subcommand.hpp"

#include <cordon/backend/backends.hpp>
#include <cordon/format/read.hpp>
#include <cordon/run/globs.hpp>

#include <optional>
#include <string>

namespace cordon::cli {

/// The policy of one file for this host, taken lexically. Throws bad_document.
[[nodiscard]] loaded_policy load(const std::string& file);

/// The system that rules are made for, where it is another one than this machine's.
struct system_options {
  std::optional<std::string> system, home;

  void add_to(subcommand& c);
  /// What a document is read against for rules that are taken there: presets, temporary files and home of that system, and
  /// no file of this machine where it is another one. Throws usage_error.
  [[nodiscard]] format::host_facts facts(const rules_system& rules) const;
};

/// A file that is read once, and stands for one policy on each system.
class policy_file {
public:
  /// Throws bad_document.
  explicit policy_file(const std::string& file) : name_(file), content_(format::content_of(file)) {}
  /// Its policy against these facts, taken lexically, and the gaps that its patterns leave. Throws bad_document, `refused`.
  [[nodiscard]] loaded_policy load(format::host_facts facts, std::vector<reported_gap>& gaps) const;
  /// The same, with what the patterns leave open told on stderr.
  [[nodiscard]] loaded_policy load(format::host_facts facts) const;

private:
  std::string name_, content_;
};

/// Tells gaps on stderr.
void tell(const std::vector<reported_gap>& gaps);

/// Why a backend makes no rules of a policy, in words.
[[nodiscard]] std::string refusal(const diagnostic& d);

} // namespace cordon::cli
