// SPDX-License-Identifier: BSL-1.0
/// What a policy answers: the rules of a backend, and single questions.
#include "../common/question.hpp"
#include "../common/rules_text.hpp"
#include "policy.hpp"

#include <cordon/format/utf8.hpp>

#include <algorithm>

using cordon::c::give;
using cordon::c::guarded;
using cordon::c::needed;
using cordon::c::owned;

namespace {

[[nodiscard]] std::optional<cordon::platform> system_of(const char* name) {
  if (name == nullptr) return std::nullopt;
  cordon::platform system{};
  if (!cordon::from_name(cordon::platform_names, name, system))
    throw std::invalid_argument("the system " + std::string(name) +
                                " is unknown; it is linux, macos, windows or openbsd");
  return system;
}

/// The documents' policy as written, for the system of some rules.
[[nodiscard]] cordon::loaded_policy policy_for(const cordon_policy& p, const cordon::format::host_facts& facts,
                                               std::vector<cordon::reported_gap>& gaps) {
  cordon::loaded_policy all = p.sources.front().load(facts, gaps);
  for (std::size_t i = 1; i < p.sources.size(); ++i) all = all & p.sources[i].load(facts, gaps);
  return all;
}

[[nodiscard]] std::string compiled(const cordon_policy& p, const std::string& backend, const char* system) {
  const auto facts =
      cordon::shim::facts_for_rules(cordon::shim::system_of_backend(backend), system_of(system), std::nullopt);
  std::vector<cordon::reported_gap> later;
  const cordon::loaded_policy policy = policy_for(p, facts, later);
  cordon::shim::rules_text made = cordon::shim::compile_to_text(policy, backend, std::nullopt);
  std::string text = std::move(made.rules);
  for (const auto* const gaps : {&std::as_const(made.gaps), &std::as_const(later)})
    for (const cordon::reported_gap& g : *gaps)
      text += "gap " + cordon::format::printable(cordon::shim::line_of(g)) + "\n";
  return text;
}

/// The question about one subject: a right of a path, or another kind.
[[nodiscard]] cordon::shim::question question_of(const std::string& kind, const std::string& subject) {
  constexpr std::string_view kinds[]{"host", "url", "syscall", "ability", "env", "capability"};
  if (cordon::right r{}; cordon::from_name(cordon::right_names, kind, r))
    return {"--path " + subject + " --right " + kind, "path", subject, kind, false, {}};
  if (std::find(std::begin(kinds), std::end(kinds), kind) == std::end(kinds))
    throw std::invalid_argument("the question " + kind + " is unknown; it is host, url, syscall, ability, env, " +
                                "capability, or a right: read, list, run, write, create, remove, attributes, connect");
  return {"--" + kind + " " + subject, kind, subject, {}, false, {}};
}

[[nodiscard]] int answer(const cordon_policy& p, const cordon::shim::question& q, const std::string& directory,
                         char** text) {
  const cordon::shim::answer found = cordon::shim::ask(p.here.policy, q, directory);
  give(text, cordon::shim::as_text(q, found));
  return found.verdict.allowed() ? 1 : 0;
}

} // namespace

char* cordon_compile(const cordon_policy* policy, const char* backend, const char* system, char** error) {
  return guarded(error, static_cast<char*>(nullptr), [&] {
    return owned(
        compiled(needed(policy, "cordon_compile: policy"), &needed(backend, "cordon_compile: backend"), system));
  });
}

int cordon_explain(const cordon_policy* policy, const char* kind, const char* subject, char** text, char** error) {
  if (text != nullptr) *text = nullptr;
  return guarded(error, -1, [&] {
    return answer(needed(policy, "cordon_explain: policy"),
                  question_of(&needed(kind, "cordon_explain: kind"), &needed(subject, "cordon_explain: subject")), {},
                  text);
  });
}

int cordon_explain_command(const cordon_policy* policy, const char* const* argv, const char* directory, char** text,
                           char** error) {
  if (text != nullptr) *text = nullptr;
  return guarded(error, -1, [&] {
    cordon::shim::question q{"--exec", "exec", {}, {}, false, {}};
    for (const char* const* word = &needed(argv, "cordon_explain_command: argv"); *word != nullptr; ++word)
      q.words.append(" ").append(q.argv.emplace_back(*word));
    return answer(needed(policy, "cordon_explain_command: policy"), q,
                  directory != nullptr ? directory : cordon::facts_of_host().base, text);
  });
}
