// SPDX-License-Identifier: BSL-1.0
/// Queries on a plan as values, for unit tests: `CHECK(permits(plan, can_read("/usr")))`. They work for any plan of any
/// system, on any host. The header includes no test framework. When a check of doctest, GoogleTest or Catch2 fails, it
/// prints the query and each ruling, also if the check negates the result.
#pragma once

#include "../gap/plan.hpp"
#include "../policy/dsl.hpp"
#include "process_feature.hpp"

namespace cordon {

namespace detail {

/// What GoogleTest makes of a condition. It prints the message that the condition streams into it.
template <class T>
concept assertion_result = requires(T& result) {
  T(true);
  result.failure_message();
  result << "";
};

/// What a test framework prints to: a character stream of any library.
template <class T>
concept character_stream = requires(T& to, std::string_view text) {
  to.write(text.data(), text.size());
};

template <class Stream> void print(Stream& to, std::string_view text) {
  to.write(text.data(), static_cast<long>(text.size()));
}

} // namespace detail

/// Which rights a plan permits on one path.
struct query_result {
  std::string_view place{}; ///< the path that was asked about
  rights asked{};           ///< by the query
  rights permitted{};       ///< those of them that the plan permits
  bool yes = false;         ///< the answer

  /// To a reference: Catch2 3 casts each condition to `const bool&`, which g++ 12 refuses for an `operator bool`.
  [[nodiscard]] constexpr explicit operator const bool&() const { return yes; }

  /// The opposite of the condition, with the same rulings: test frameworks print a result, and nothing of a `bool`.
  [[nodiscard]] constexpr query_result operator!() const { return {place, asked, permitted, !yes}; }

  /// For `EXPECT_TRUE` and `EXPECT_FALSE`, which otherwise print the condition alone.
  template <detail::assertion_result Result> [[nodiscard]] operator Result() const { return Result(yes) << *this; }

  /// Prints `/srv: read allow, write refuse` to any character stream.
  template <detail::character_stream Stream> friend Stream& operator<<(Stream& to, const query_result& r) {
    detail::print(to, r.place);
    std::string_view before = ": ";
    for_each(r.asked, [&](right one) {
      detail::print(to, before);
      detail::print(to, name(one));
      detail::print(to, r.permitted.has(one) ? " allow" : " refuse");
      before = ", ";
    });
    return to;
  }
};

/// Whether a plan permits a process feature; a condition like `query_result`.
struct feature_result {
  process_feature asked{}; ///< the feature that was asked for
  bool permitted = false;  ///< by the plan
  bool yes = false;        ///< the condition, which `!` inverts

  [[nodiscard]] constexpr explicit operator const bool&() const { return yes; } ///< The answer.
  /// The opposite answer.
  [[nodiscard]] constexpr feature_result operator!() const { return {asked, permitted, !yes}; }
  /// For assertions that print what they compare.
  template <detail::assertion_result Result> [[nodiscard]] operator Result() const { return Result(yes) << *this; }

  /// Prints `any_host: refuse` to any character stream.
  template <detail::character_stream Stream> friend Stream& operator<<(Stream& to, const feature_result& r) {
    detail::print(to, name(r.asked));
    detail::print(to, r.permitted ? ": allow" : ": refuse");
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

/// Does the plan permit any of them?
template <class Rules> [[nodiscard]] constexpr query_result permits_any(const plan<Rules>& made, const clause& about) {
  query_result r = detail::query_plan(made, about);
  r.yes = !r.permitted.empty();
  return r;
}

/// Does the plan permit none of them? This tests that something is impossible, and no gap can hide it.
template <class Rules> [[nodiscard]] constexpr query_result refuses(const plan<Rules>& made, const clause& about) {
  return !permits_any(made, about);
}

/// Does the plan permit a program that feature?
template <class Rules> [[nodiscard]] constexpr feature_result permits(const plan<Rules>& made, process_feature which) {
  const bool permitted = permits(made.rules, which);
  return {which, permitted, permitted};
}

/// Does the plan not permit it?
template <class Rules> [[nodiscard]] constexpr feature_result refuses(const plan<Rules>& made, process_feature which) {
  return !permits(made, which);
}

} // namespace cordon
