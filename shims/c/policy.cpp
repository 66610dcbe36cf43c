// SPDX-License-Identifier: BSL-1.0
#include "policy.hpp"

#include <cordon/format/excess.hpp>
#include <cordon/format/notation.hpp>

#include <memory>
#include <utility>

using cordon::c::give;
using cordon::c::guarded;
using cordon::c::needed;
using cordon::c::owned;

namespace {

constexpr cordon_policy* none = nullptr;
constexpr char* no_text = nullptr;

[[nodiscard]] cordon_policy* policy_of(const char* name, std::string text, std::string base) {
  cordon::format::host_facts facts = cordon::facts_of_host();
  if (!base.empty()) facts.base = std::move(base);
  cordon::host_policy here = cordon::load_policy_text(name, text, facts);
  return new cordon_policy{std::move(here), {{name, std::move(text), facts.base}}};
}

} // namespace

cordon_policy* cordon_policy_parse(const char* text, size_t size, const char* name, char** error) {
  return guarded(error, none, [&] {
    std::string content(&needed(text, "cordon_policy_parse: text"), size);
    return policy_of(name == nullptr ? "policy" : name, std::move(content), {});
  });
}

cordon_policy* cordon_policy_load(const char* path, char** error) {
  return guarded(error, none, [&] {
    const std::string file(&needed(path, "cordon_policy_load: path"));
    return policy_of(file.c_str(), cordon::format::content_of(file), cordon::format::directory_of(file));
  });
}

cordon_policy* cordon_policy_copy(const cordon_policy* policy, char** error) {
  return guarded(error, none, [&] { return new cordon_policy(needed(policy, "cordon_policy_copy: policy")); });
}

void cordon_policy_free(cordon_policy* policy) { delete policy; }

char* cordon_policy_text(const cordon_policy* policy, char** error) {
  return guarded(error, no_text, [&] {
    return owned(cordon::format::write_notation(needed(policy, "cordon_policy_text: policy").here.policy));
  });
}

cordon_policy* cordon_policy_meet(const cordon_policy* a, const cordon_policy* b, char** error) {
  return guarded(error, none, [&] {
    const cordon_policy &one = needed(a, "cordon_policy_meet: a"), &other = needed(b, "cordon_policy_meet: b");
    auto both = std::make_unique<cordon_policy>(cordon_policy{one.here & other.here, one.sources});
    both->sources.insert(both->sources.end(), other.sources.begin(), other.sources.end());
    return both.release();
  });
}

int cordon_policy_within(const cordon_policy* policy, const cordon_policy* ceiling, char** excess, char** error) {
  if (excess != nullptr) *excess = nullptr;
  return guarded(error, -1, [&] {
    const auto all = cordon::format::excess_of(needed(policy, "cordon_policy_within: policy").here.policy,
                                               needed(ceiling, "cordon_policy_within: ceiling").here.policy);
    give(excess, cordon::format::text_of(all));
    return all.empty() ? 1 : 0;
  });
}
