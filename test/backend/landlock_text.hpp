// SPDX-License-Identifier: BSL-1.0
/// A Landlock plan as readable text: rules in the order of the walk, then gaps in the order in which they were found.
#pragma once

#include <cordon/backend/landlock.hpp>

#include <string>

namespace landlock_text {

inline std::string words(std::uint32_t bits) {
  std::string out;
  for (std::size_t i = 0; i < cordon::landlock::access_names.size(); ++i)
    if ((bits >> i & 1) != 0) out += " " + std::string(cordon::landlock::access_names[i]);
  return out;
}

template <class Plan> std::string text(const Plan& plan) {
  const auto& r = plan.rules;
  std::string out = "abi " + std::to_string(r.abi) + "\nhandled" + words(cordon::landlock::handled(r.abi)) + "\n";
  const auto lines = [&](const char* what, auto view, bool with_words) {
    for (std::uint32_t i = 0; i < view.size(); ++i)
      out += what + std::string(view.place(i)) + (with_words ? words(view[i].value) : "") + "\n";
  };
  lines("grant ", r.view(r.grants), true);
  lines("siblings ", r.view(r.siblings), true);
  lines("except ", r.view(r.except), false);
  for (std::uint32_t i = 0; i < plan.gaps.size(); ++i) {
    const cordon::gap g = plan.gaps[i];
    out += std::string(name(g.kind)) + " " + std::string(g.what) + (g.place.empty() ? "" : ":" + std::string(g.place)) +
           "\n";
  }
  return out;
}

} // namespace landlock_text
