// SPDX-License-Identifier: BSL-1.0
/// Checks what holds for every backend, for hand-written policies and random ones.
#pragma once

#include "dice.hpp"
#include "plain_policy.hpp"
#include "samples.hpp"

#include <cordon/policy/heap.hpp>
#include <cordon/verify/missing.hpp>
#include <cordon/verify/plan.hpp>

namespace proof {

using namespace cordon;
using verifying::text_of;
using small = basic_policy<fixed_storage<80, 800>>;

/// A policy with random files that accepts any target. `known`: it denies no call that every machine lacks.
inline small random_policy(dice& d, bool known = false) {
  plain::policy table = plain::random(d);
  if (known) {
    plain::entry_list& calls = table.entries[static_cast<std::size_t>(axis_id::calls)];
    calls = {};
    calls.insert(0, {0, 1});
    table.settle();
  }
  small p = plain::made<small>(table);
  p.profile = profile::worktree;
  p.fallback = fallback::warn;
  return p;
}

template <class Gaps> std::string gap_lines(const Gaps& gaps) {
  std::string out;
  for (std::uint32_t i = 0; i < gaps.size(); ++i)
    out += "gap " + std::string(name(gaps[i].kind)) + " " + std::string(gaps[i].what) +
           (gaps[i].place.empty() ? "" : ":" + std::string(gaps[i].place)) + "\n";
  return out;
}

/// The fault of the plan of a policy; empty if it has none.
template <class Backend, class S> std::string fault(const basic_policy<S>& p, const typename Backend::target& t) {
  const auto made = compile(p, t);
  if (made.error.code != diagnostic_code::ok) return "error: " + std::string(name(made.error.code));
  std::string wrong;
  const auto all = verifying::verify<Backend>(p, made, [&](const verifying::difference& d) {
    if (wrong.empty()) wrong = (d.permitted ? "unsound: " : "incomplete: ") + d.question;
  });
  for (std::uint32_t i = 0; i < made.gaps.size(); ++i) {
    bool known = false;
    for (const gap_type& k : Backend::gap_types())
      known = known || (k.id == made.gaps[i].what && k.kind == made.gaps[i].kind);
    if (!known) return "a gap without a topic: " + std::string(made.gaps[i].what);
  }
  if (wrong.empty() && all.asked < 2 * right_names.size()) return "hardly anything was asked";
  return wrong;
}

/// Does a gap of the plan report that the run has no sockets of its own?
template <class Backend, class Plan> bool loses_own(const Plan& made) {
  for (const gap_type& t : Backend::gap_types())
    if (t.kind == gap_kind::tightened && t.features.has(process_feature::own_sockets) && made.gaps.has(t)) return true;
  return false;
}

/// Does a stricter policy permit more?
template <class Backend, class S>
std::string widening(const basic_policy<S>& less, const basic_policy<S>& more, const typename Backend::target& t) {
  const auto x = compile(less, t), y = compile(more, t);
  for (const auto& places : {verifying::places_of(less, x.rules), verifying::places_of(more, y.rules)})
    for (const std::string& place : places)
      for (unsigned i = 0; i < right_names.size(); ++i)
        if (permits(x.rules, static_cast<right>(i), place) && !permits(y.rules, static_cast<right>(i), place))
          return std::string(right_names[i]) + " " + place;
  for (unsigned i = 0; i < process_feature_names.size(); ++i) {
    const auto which = static_cast<process_feature>(i);
    // With the machine's network a run loses its own, as a gap of the wider plan reports.
    const bool moves = which == process_feature::own_sockets && loses_own<Backend>(y);
    if (permits(x.rules, which) && !permits(y.rules, which) && !moves) return std::string(process_feature_names[i]);
  }
  return {};
}

/// Checks plans: sound, complete, monotone, deterministic, and the same in any storage. Over samples and `count` random
/// policies.
template <class Backend> std::string backend_fault(const typename Backend::target& t, int count) {
  for (const samples::sample& s : samples::all)
    if (const std::string wrong = fault<Backend>(s.policy, t); !wrong.empty())
      return std::string(s.name) + ": " + wrong;
  for (int seed = 0; seed < count; ++seed) {
    dice d(static_cast<std::uint64_t>(seed));
    constexpr bool known = requires { Backend::needs_known_calls; };
    const small b = random_policy(d, known), a = random_policy(d, known) & b;
    const std::string where = "seed " + std::to_string(seed) + ": ";
    if (const std::string wrong = fault<Backend>(b, t); !wrong.empty()) return where + wrong;
    if (const std::string wrong = widening<Backend>(a, b, t); !wrong.empty()) return where + "not monotone: " + wrong;
    loaded_policy loaded;
    if (copy(b, loaded).code != diagnostic_code::ok) return where + "no copy";
    const auto x = compile(b, t);
    const auto y = compile(loaded, t);
    if (text_of(x.rules) != text_of(y.rules) || gap_lines(x.gaps) != gap_lines(y.gaps)) return where + "another text";
  }
  return {};
}

} // namespace proof
