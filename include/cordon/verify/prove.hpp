// SPDX-License-Identifier: BSL-1.0
/// The proof for any backend in the list.
#pragma once

#include "plan.hpp"
#include "seccomp.hpp"

#include <type_traits>

namespace cordon::verifying {

namespace detail {

template <class Backend, class S, class Rules>
[[nodiscard]] tally prove_to(const difference_sink& f, const basic_policy<S>& p, const plan<Rules>& made) {
  if constexpr (std::is_same_v<Backend, seccomp::backend>) return verify_seccomp(p, made, f);
  else {
    tally all = verify<Backend>(p, made, f);
    if constexpr (requires { Backend::each_member(p, made.rules, [](auto&&) {}); })
      Backend::each_member(p, made.rules, [&]<class Member>(const auto& own) {
        auto named = [&](const difference& d) {
          f(difference{std::string(Member::name) + ": " + d.question, d.permitted});
        };
        all += prove_to<Member>(difference_sink::to(named), p, own);
      });
    return all;
  }
}

} // namespace detail

/// Runs all checks of a plan; calls `f(difference)` for each difference that no gap explains.
template <class Backend, class S, class Rules, class F>
[[nodiscard]] tally prove(const basic_policy<S>& p, const plan<Rules>& made, F&& f) {
  return detail::prove_to<Backend>(difference_sink::to(f), p, made);
}

} // namespace cordon::verifying
