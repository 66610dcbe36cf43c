// SPDX-License-Identifier: BSL-1.0
/// Checks a Landlock plan against its policy for every query that can make a difference, and whether it is the best
/// possible.
#pragma once

#include <cordon/backend/landlock.hpp>
#include <cordon/verify/plan.hpp>

namespace landlock_proof {

using namespace cordon;
using verifying::places_of;

/// The most that Landlock can grant at a path: what the policy allows there and everywhere beneath. A rule covers
/// everything beneath its path.
template <class S> rights floor(const basic_policy<S>& p, std::string_view place) {
  const auto files = p.files();
  std::uint32_t bits = files.lookup(place);
  for (std::uint32_t i = 0; i < files.size(); ++i)
    if (path::covers(place, files.place(i))) bits &= files[i].value;
  return rights::from_bits(bits);
}

/// Is the answer the best that Landlock can give without permitting more than the policy? Ignores rights that Landlock
/// lacks.
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

/// The fault of the plan; empty if it has none.
template <class S> std::string fault(const basic_policy<S>& p, int abi) {
  const auto plan = landlock::compile(p, {abi});
  if (plan.error.code != diagnostic_code::ok) return "error: " + std::string(name(plan.error.code));
  const int known = landlock::known(abi);
  std::string wrong;
  const auto all = verifying::verify<landlock::backend>(p, plan, [&](const verifying::difference& d) {
    wrong = (d.permitted ? "unsound: " : "incomplete: ") + d.question;
  });
  if (all.unexplained != 0 || all.asked < 8 * right_names.size()) return wrong;
  for (const std::string& place : places_of(p, plan.rules))
    for (unsigned i = 0; i < right_names.size(); ++i)
      if (const auto what = static_cast<right>(i);
          landlock::permits(plan.rules, what, place) != best(p, known, what, place))
        return "not the best: " + std::string(name(what)) + " " + place;
  for (std::uint32_t i = 0; i < plan.gaps.size(); ++i) {
    const gap g = plan.gaps[i];
    if (g.what != "landlock.siblings") continue;
    const std::uint32_t wanted = landlock::access_of(rights::from_bits(p.files().lookup(g.place)), known);
    if ((landlock::detail::bits_at(plan.rules, g.place) & wanted) == wanted)
      return "a gap for nothing: " + std::string(g.place);
  }
  return {};
}

} // namespace landlock_proof
