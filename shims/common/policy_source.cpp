// SPDX-License-Identifier: BSL-1.0
#include "policy_source.hpp"

#include "decide.hpp"

#include <cordon/format/globs.hpp>
#include <cordon/format/notation.hpp>
#include <cordon/format/service/services.hpp>
#include <cordon/notation/line_of.hpp>
#include <cordon/run/load.hpp>

namespace cordon::shim {
namespace {

/// Substitute for the home on another system.
[[nodiscard]] std::string_view usual_home(platform on) {
  return on == platform::macos || on == platform::windows ? "/Users/USER" : "/home/USER";
}

} // namespace

format::host_facts facts_of_documents() {
  format::host_facts facts = facts_of_host();
  facts.exists = nullptr;
  facts.may_exist = nullptr;
  facts.account_home.clear();
  facts.closed_below = nullptr;
  return facts;
}

format::host_facts facts_for_rules(const rules_system& rules, std::optional<platform> system,
                                   const std::optional<std::string>& home) {
  format::host_facts facts = facts_of_documents();
  const platform here = facts.system;
  if (!rules.any) facts.system = rules.on;
  if (system) facts.system = *system;
  if (facts.system != here || rules.own_files) {
    facts.interpreters_of = nullptr;
    facts.find_matches = nullptr;
  }
  if (facts.system != here) facts.home = usual_home(facts.system);
  if (home) facts.home = *home;
  return facts;
}

loaded_policy policy_source::load(format::host_facts facts, std::vector<reported_gap>& gaps) const {
  facts.base = base();
  const format::document d = format::with_globs_expanded(format::read(name_, content_, facts), facts);
  state_later(gaps, globs_of(d));
  state_services(gaps, format::services_of(d, facts));
  return format::lower_lexically(d, facts);
}

std::uint32_t policy_source::line_of(format::host_facts facts, axis which, std::string_view place) const {
  if (!format::is_notation(content_)) return 0;
  facts.base = base();
  return notation::line_of(content_, which, place, format::parse_context_of(facts)).line;
}

} // namespace cordon::shim
