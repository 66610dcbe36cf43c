// SPDX-License-Identifier: BSL-1.0
/// Do a backend's rules say what the policy says, but for the plan's gaps? Policy and rules are step functions, constant
/// between their boundary places, so that these, the parent, a child and a sibling of each, times every right, are a
/// proof and not a sample.
#pragma once

#include "../plan.hpp"
#include "../question.hpp"
#include "tally.hpp"

#include <set>
#include <span>
#include <string>

namespace cordon::verifying {

/// The places to ask about: the boundaries of the policy and of the rules, with what lies around them.
template <class S, class Rules>
[[nodiscard]] std::set<std::string> places_of(const basic_policy<S>& p, const Rules& rules) {
  std::set<std::string> all{"/", "/<other>"};
  const auto add = [&](std::string_view boundary) {
    const std::string place(boundary), parent(path::parent(place));
    const std::string inside = place == "/" ? place : place + "/", beside = parent == "/" ? parent : parent + "/";
    all.insert({place, parent, inside + "<child>", inside + "<child>/<grandchild>", beside + "<sibling>"});
    if (place != "/") all.insert(place + "-");
  };
  const auto files = p.files();
  for (std::uint32_t i = 0; i < files.size(); ++i) add(files.place(i));
  each_place(rules, add);
  return all;
}

/// Does one of the gaps say why they differ? O(gaps * topics).
template <class Gaps>
[[nodiscard]] bool explained(const Gaps& gaps, std::span<const topic> topics, right what, std::string_view place,
                             bool permitted) {
  for (std::uint32_t i = 0; i < gaps.size(); ++i)
    for (const topic& t : topics)
      if (const gap g = gaps[i]; t.what == g.what && explains(t, g.place, what, place, permitted)) return true;
  return false;
}
template <class Gaps>
[[nodiscard]] bool explained(const Gaps& gaps, std::span<const topic> topics, facility which, bool permitted) {
  for (const topic& t : topics)
    if (t.of.has(which) && permitted == (t.kind == gap_kind::unenforced) && gaps.has(t.what)) return true;
  return false;
}

/// Asks every question about files, and about facilities where the backend knows them; calls `f(difference)` for each on which rules and policy differ and no
/// gap of the plan says why. O(questions * (log n + gaps)).
template <class Backend, class S, class Rules, class F>
[[nodiscard]] tally verify(const basic_policy<S>& p, const plan<Rules>& made, F&& f) {
  const std::span<const topic> topics = Backend::topics();
  tally all;
  const auto count = [&](bool permitted, bool allowed, auto&& excuse, auto&& question) {
    const bool fine = permitted == allowed || excuse();
    all.count(permitted == allowed, fine);
    if (!fine) f(difference{question(), permitted});
  };
  for (const std::string& place : places_of(p, made.rules))
    for (std::size_t i = 0; i < right_names.size(); ++i) {
      const auto what = static_cast<right>(i);
      const bool permitted = permits(made.rules, what, place);
      count(
          permitted, rights::from_bits(p.files().value(place)).has(what),
          [&] {
            if constexpr (requires { Backend::explains(made, p, what, place, permitted); })
              return Backend::explains(made, p, what, place, permitted);
            else return explained(made.gaps, topics, what, place, permitted);
          },
          [&] { return std::string(name(what)) + " " + place; });
    }
  if constexpr (requires { permits(made.rules, facility::spawn); })
    for (std::size_t i = 0; i < facility_names.size(); ++i) {
      const auto which = static_cast<facility>(i);
      const bool permitted = permits(made.rules, which);
      count(
          permitted, allows(p, which), [&] { return explained(made.gaps, topics, which, permitted); },
          [&] { return std::string(name(which)); });
    }
  return all;
}

} // namespace cordon::verifying
