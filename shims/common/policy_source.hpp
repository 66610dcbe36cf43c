// SPDX-License-Identifier: BSL-1.0
/// A document that is read once, and gives one policy for each system, its paths not resolved.
#pragma once

#include <cordon/backend/rules_system.hpp>
#include <cordon/format/read.hpp>
#include <cordon/run/globs/globs.hpp>

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace cordon::shim {

/// The facts of this host for documents as written: independent of the files that exist.
[[nodiscard]] format::host_facts facts_of_documents();

/// The facts for reading a document for such rules: presets, temporary files and home of their system, and no file of
/// this machine if the system is another one. `system` and `home`, if named, replace those of the rules.
[[nodiscard]] format::host_facts facts_for_rules(const rules_system& rules, std::optional<platform> system,
                                                 const std::optional<std::string>& home);

class policy_source {
public:
  /// Relative paths in a file are relative to its directory. Throws: bad_document.
  explicit policy_source(const std::string& file) : name_(file), content_(format::content_of(file)) {}
  /// A text by its name in messages; relative paths in it are relative to `base`.
  policy_source(std::string name, std::string content, std::string base)
      : name_(std::move(name)), content_(std::move(content)), base_(std::move(base)) {}

  /// Its policy with these facts, paths not resolved, and the gaps of its patterns and services. Throws: bad_document,
  /// `refused`.
  [[nodiscard]] loaded_policy load(format::host_facts facts, std::vector<reported_gap>& gaps) const;

  /// The line that states the clause of that axis, counted from 1. Only texts in the policy language have one. `place`
  /// as for `notation::line_of`. Returns: 0 if no line is known.
  [[nodiscard]] std::uint32_t line_of(format::host_facts facts, axis which, std::string_view place) const;

private:
  [[nodiscard]] std::string base() const { return base_ ? *base_ : format::directory_of(name_); }

  std::string name_, content_;
  std::optional<std::string> base_;
};

} // namespace cordon::shim
