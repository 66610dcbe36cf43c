// SPDX-License-Identifier: BSL-1.0
/// Do Landlock's rules say what the policy says? Both are step functions, constant between their boundary places, so that
/// these, the parent, a child and a sibling of each, times every right, are a proof and not a sample.
#pragma once

#include "../backend/landlock.hpp"
#include "tally.hpp"

#include <set>
#include <string>
#include <vector>

namespace cordon::verifying {

/// The places to ask about.
template <class S> std::vector<std::string> questions(const basic_policy<S>& p, const landlock::rules<S>& r) {
  std::set<std::string> all{"/", "/<other>"};
  const auto add = [&](step<path_tree> v) {
    for (std::uint32_t i = 0; i < v.size(); ++i) {
      const std::string place(v.place(i)), parent(path::parent(place));
      const std::string inside = place == "/" ? place : place + "/", beside = parent == "/" ? parent : parent + "/";
      all.insert({place, parent, inside + "<child>", inside + "<child>/<grandchild>", beside + "<sibling>"});
      if (place != "/") all.insert(place + "-");
    }
  };
  add(p.files());
  add(r.view(r.grants));
  add(r.view(r.siblings));
  add(r.view(r.except));
  return {all.begin(), all.end()};
}

/// Does a gap say why the rules permit what the policy does not allow?
template <class Gaps> bool explains_more(const Gaps& gaps, int abi, right what) {
  if (abi == 0) return gaps.has("landlock.missing");
  return (what == right::attributes && gaps.has("landlock.attributes")) ||
         (what == right::connect && abi < 9 && gaps.has("landlock.connect"));
}

/// Does a gap say why the rules deny what the policy allows?
template <class S, class Gaps>
bool explains_less(const Gaps& gaps, const basic_policy<S>& p, right what, const std::string& place) {
  const auto files = p.files();
  const std::string_view entry = files.place(files.find(place));
  const bool of_entries = what == right::create || what == right::remove;
  return (gaps.has("landlock.siblings", place)) || (of_entries && gaps.has("landlock.siblings", path::parent(place))) ||
         (of_entries && entry == place && gaps.has("landlock.root")) ||
         (what == right::run && gaps.has("landlock.run_without_read", entry)) ||
         (what == right::create && gaps.has("landlock.create_without_write", entry));
}

/// Asks every question; calls `f(difference)` for each on which rules and policy differ and no gap of the plan says why.
/// O(questions * log n).
template <class S, class F>
[[nodiscard]] tally verify_landlock(const basic_policy<S>& p, const plan<landlock::rules<S>>& made, F&& f) {
  tally all;
  for (const std::string& place : questions(p, made.rules))
    for (std::size_t i = 0; i < right_names.size(); ++i) {
      const auto what = static_cast<right>(i);
      const bool permitted = landlock::permits(made.rules, what, place);
      const bool allowed = rights::from_bits(p.files().value(place)).has(what);
      const bool explained = permitted == allowed || (permitted ? explains_more(made.gaps, made.rules.abi, what)
                                                                : explains_less(made.gaps, p, what, place));
      all.count(permitted == allowed, explained);
      if (!explained) f(difference{std::string(name(what)) + " " + place, permitted});
    }
  return all;
}

} // namespace cordon::verifying
