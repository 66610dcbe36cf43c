// SPDX-License-Identifier: BSL-1.0
/// What a Landlock plan says about every question that can make a difference. Policy and rules are step functions: both
/// are constant between their boundary places, so that these, their parents, a child and a sibling of each are a proof.
#pragma once

#include <cordon/backend/landlock.hpp>

#include <set>
#include <string>
#include <vector>

namespace landlock_proof {

using namespace cordon;

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

/// What Landlock can give at a place at best: what the policy allows there and everywhere beneath, because a rule
/// reaches everything beneath.
template <class S> rights floor(const basic_policy<S>& p, std::string_view place) {
  const auto files = p.files();
  std::uint32_t bits = files.value(place);
  for (std::uint32_t i = 0; i < files.size(); ++i)
    if (path::covers(place, files.place(i))) bits &= files[i].value;
  return rights::from_bits(bits);
}

/// The best answer that Landlock can give without permitting more than the policy, but for what it has no word for.
template <class S> bool best(const basic_policy<S>& p, int abi, right what, const std::string& place) {
  if (abi == 0 || what == right::attributes || (what == right::connect && abi < 9)) return true;
  const rights here = floor(p, place), above = floor(p, path::parent(place));
  switch (what) {
  case right::run: return here.has(right::run) && here.has(right::read);
  case right::create: return place != "/" && above.has(right::create) && here.has(right::write);
  case right::remove: return place != "/" && above.has(right::remove);
  default: return here.has(what);
  }
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

/// What is wrong with the plan; empty if nothing is.
template <class S> std::string fault(const basic_policy<S>& p, int abi) {
  const auto plan = landlock::compile(p, {abi});
  if (plan.error.code != errc::ok) return "error: " + std::string(name(plan.error.code));
  const int known = landlock::known(abi);
  for (const std::string& place : questions(p, plan.rules))
    for (unsigned i = 0; i < right_names.size(); ++i) {
      const auto what = static_cast<right>(i);
      const std::string question = std::string(name(what)) + " " + place;
      const bool permitted = landlock::permits(plan.rules, what, place);
      const bool allowed = rights::from_bits(p.files().value(place)).has(what);
      if (permitted && !allowed && !explains_more(plan.gaps, known, what)) return "unsound: " + question;
      if (!permitted && allowed && !explains_less(plan.gaps, p, what, place)) return "incomplete: " + question;
      if (permitted != best(p, known, what, place)) return "not the best: " + question;
    }
  for (std::uint32_t i = 0; i < plan.gaps.size(); ++i) {
    const gap g = plan.gaps[i];
    if (g.what != "landlock.siblings") continue;
    const std::uint32_t wanted = landlock::access_of(rights::from_bits(p.files().value(g.place)), known);
    if ((landlock::detail::bits_at(plan.rules, g.place) & wanted) == wanted)
      return "a gap for nothing: " + std::string(g.place);
  }
  return {};
}

} // namespace landlock_proof
