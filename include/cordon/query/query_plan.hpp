// SPDX-License-Identifier: BSL-1.0
/// Questions as values, for unit tests: `CHECK(permits(plan, can_read("/usr")))`. Any plan of any system, on any host.
/// No test framework is included; a failed check of doctest or GoogleTest prints the question and each answer.
#pragma once

#include "../gap/plan.hpp"
#include "../policy/dsl.hpp"
#include "process_feature.hpp"

namespace cordon {

/// What a plan says about rights at one place.
struct query_result {
  std::string_view place{};
  rights asked{}, permitted{};
  bool yes = false;

  [[nodiscard]] constexpr explicit operator bool() const { return yes; }

  /// Prints `/srv: read allow, write refuse` to any stream of characters.
  template <class Stream>
  requires requires(Stream& to, std::string_view text) { to.write(text.data(), text.size()); }
  friend Stream& operator<<(Stream& to, const query_result& r) {
    const auto put = [&](std::string_view text) { to.write(text.data(), static_cast<long>(text.size())); };
    put(r.place);
    std::string_view before = ": ";
    for_each(r.asked, [&](right one) {
      put(before), put(name(one)), put(r.permitted.has(one) ? " allow" : " refuse");
      before = ", ";
    });
    return to;
  }
};

namespace detail {
template <class Rules> [[nodiscard]] constexpr query_result query_plan(const plan<Rules>& made, const clause& about) {
  query_result r{about.what.place, rights::from_bits(about.what.value), {}, false};
  for_each(r.asked, [&](right one) {
    if (permits(made.rules, one, r.place)) r.permitted = r.permitted | one;
  });
  return r;
}
} // namespace detail

/// Does the plan permit every right that the clause grants, at its place?
template <class Rules> [[nodiscard]] constexpr query_result permits(const plan<Rules>& made, const clause& about) {
  query_result r = detail::query_plan(made, about);
  r.yes = r.permitted == r.asked;
  return r;
}

/// Does it permit any of them? What must not be possible is `!permits_any`, which no gap can hide.
template <class Rules> [[nodiscard]] constexpr query_result permits_any(const plan<Rules>& made, const clause& about) {
  query_result r = detail::query_plan(made, about);
  r.yes = !r.permitted.empty();
  return r;
}

template <class Rules> [[nodiscard]] constexpr bool permits(const plan<Rules>& made, process_feature which) {
  return permits(made.rules, which);
}

} // namespace cordon
