// SPDX-License-Identifier: BSL-1.0
/// Queries on a plan as values, for unit tests: `CHECK(permits(plan, can_read("/usr")))`. They work for any plan of any
/// system, on any host. The header includes no test framework. When a check of doctest or GoogleTest fails, it prints
/// the query and each ruling.
#pragma once

#include "../gap/plan.hpp"
#include "../policy/dsl.hpp"
#include "process_feature.hpp"

namespace cordon {

/// Which rights a plan permits on one path.
struct query_result {
  std::string_view place{};
  rights asked{}, permitted{};
  bool yes = false;

  [[nodiscard]] constexpr explicit operator bool() const { return yes; }

  /// Prints `/srv: read allow, write refuse` to any character stream.
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

/// Does the plan permit every right that the clause grants on its path?
template <class Rules> [[nodiscard]] constexpr query_result permits(const plan<Rules>& made, const clause& about) {
  query_result r = detail::query_plan(made, about);
  r.yes = r.permitted == r.asked;
  return r;
}

/// Does the plan permit any of them? To test that something is impossible, use `!permits_any`, which no gap can hide.
template <class Rules> [[nodiscard]] constexpr query_result permits_any(const plan<Rules>& made, const clause& about) {
  query_result r = detail::query_plan(made, about);
  r.yes = !r.permitted.empty();
  return r;
}

template <class Rules> [[nodiscard]] constexpr bool permits(const plan<Rules>& made, process_feature which) {
  return permits(made.rules, which);
}

} // namespace cordon
