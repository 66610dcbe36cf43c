// SPDX-License-Identifier: BSL-1.0
#include "verify.hpp"

#include "../common/rules_text.hpp"
#include "documents.hpp"

#include <cordon/backend/backends.hpp>
#include <cordon/format/json_string.hpp>
#include <cordon/format/utf8.hpp>
#include <cordon/policy/heap.hpp>
#include <cordon/verify/hosts.hpp>
#include <cordon/verify/missing.hpp>
#include <cordon/verify/prove.hpp>

#include <cstdio>
#include <memory>
#include <type_traits>

namespace cordon::cli {
namespace {

struct verify_options {
  std::string file, backend;
  system_options where;
  bool json = false, self_test = false;
};

/// The result of the proof for one backend and target.
struct proof {
  std::string backend, target;
  verifying::tally all;
  std::vector<std::string> differences;
  std::string refused;               ///< why there are no rules; else empty
  std::size_t rules = 0, missed = 0; ///< rules removed in turn, and those whose absence no query noticed
};

[[nodiscard]] auto note_in(proof& to) {
  return [&to](const verifying::difference& d) {
    to.differences.push_back(d.question +
                             (d.permitted ? ": permitted against the policy" : ": denied against the policy"));
  };
}

/// The plan of one backend; for Landlock by the given compiler.
template <class Backend>
[[nodiscard]] auto plan_of(const loaded_policy& p, const typename Backend::target& t, landlock_compiler compiler) {
  if constexpr (std::is_same_v<Backend, landlock::backend>) return compiler(p, t);
  else return compile(p, t);
}

/// Removes each rule in turn: at least one query must then differ.
template <class Backend, class Rules> void prove_the_proof(const loaded_policy& p, const plan<Rules>& made, proof& to) {
  plan<Rules> one = made;
  verifying::each_with_one_missing(made.rules, [&](const Rules& less) {
    one.rules = less;
    ++to.rules;
    to.missed += verifying::prove<Backend>(p, one, [](auto&&) {}).unexplained == 0 ? 1U : 0U;
  });
}

/// Verifies the index that a gateway queries, if the policy lists hosts.
void prove_hosts(const loaded_policy& p, std::vector<proof>& to) {
  const host_axis hosts = p.hosts();
  if (hosts.is_any() || hosts.is_none()) return;
  proof& one = to.emplace_back(proof{"hosts", "index", {}, {}, {}});
  const host_index allowed(hosts.allowed), denied(hosts.denied.as<host_tree>());
  one.all = verifying::verify_hosts(hosts, allowed, denied, note_in(one));
}

[[nodiscard]] std::vector<proof> prove(const verify_options& o, landlock_compiler compiler) {
  const shim::policy_source file(o.file);
  std::vector<proof> proofs;
  std::vector<reported_gap> later;
  std::string known;
  backends::each([&]<class Backend>() {
    known += " " + std::string(Backend::name);
    if (!o.backend.empty() && o.backend != Backend::name) return true;
    const loaded_policy p = file.load(o.where.facts(system_of<Backend>), later);
    for (const auto& t : Backend::targets) {
      proof& one = proofs.emplace_back(proof{std::string(Backend::name), std::string(t.name), {}, {}, {}});
      const auto made = plan_of<Backend>(p, t.target, compiler);
      if (made.error.code == diagnostic_code::ok) {
        one.all = verifying::prove<Backend>(p, made, note_in(one));
        if (o.self_test) prove_the_proof<Backend>(p, made, one);
      } else one.refused = shim::refusal(made.error);
    }
    return true;
  });
  if (proofs.empty()) throw usage_error("unknown backend " + o.backend + "; known here:" + known);
  if (o.backend.empty()) prove_hosts(file.load(o.where.facts({.any = true}), later), proofs);
  print_gaps(later);
  return proofs;
}

[[nodiscard]] std::string as_text(const proof& p) {
  if (!p.refused.empty()) return p.backend + " " + p.target + ": no rules: " + p.refused + "\n";
  std::string out = p.backend + " " + p.target + ": " + std::to_string(p.all.asked) + " questions, " +
                    std::to_string(p.all.agree) + " agree, " + std::to_string(p.all.by_gaps) + " differ by a gap, " +
                    std::to_string(p.all.unexplained) + " unexplained\n";
  if (p.rules != 0)
    out += "  each of " + std::to_string(p.rules) + " rules taken away: " + std::to_string(p.missed) + " not noticed\n";
  for (const std::string& d : p.differences) out += "  " + format::printable(d) + "\n";
  return out;
}

[[nodiscard]] std::string as_json(const proof& p) {
  return format::json_of([&](format::json_string_writer& to) {
    to.object(json_layout::one_line, [&] {
      to.member("backend", p.backend);
      to.member("target", p.target);
      if (!p.refused.empty()) to.member("refused", p.refused);
      to.member_number("questions", p.all.asked);
      to.member_number("agree", p.all.agree);
      to.member_number("by_gaps", p.all.by_gaps);
      if (p.rules != 0) {
        to.member_number("rules", p.rules);
        to.member_number("missed", p.missed);
      }
      to.member_texts("unexplained", p.differences);
    });
    to.end_line();
  });
}

int verify_file(const verify_options& o, landlock_compiler compiler) {
  bool fine = true;
  std::string out;
  for (const proof& p : prove(o, compiler)) {
    fine = fine && p.all.unexplained == 0 && p.missed == 0;
    out += o.json ? as_json(p) : as_text(p);
  }
  std::fputs(out.c_str(), stdout);
  return fine ? 0 : 1;
}

} // namespace

std::function<void(subcommand&)> verify_of(landlock_compiler compiler) {
  return [compiler](subcommand& c) {
    const auto o = std::make_shared<verify_options>();
    c.about("prove that the rules of every backend match the policy, except for their gaps");
    c.option("--backend", o->backend, "this one alone");
    o->where.add_to(c);
    c.option("FILE", o->file, "policy file", true);
    c.flag("--json", o->json, "one object a line");
    c.flag("--self-test", o->self_test, "take each rule away in turn: the proof must fail every time");
    c.action([o, compiler] { return verify_file(*o, compiler); });
  };
}

} // namespace cordon::cli
