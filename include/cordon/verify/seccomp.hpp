// SPDX-License-Identifier: BSL-1.0
/// Does a seccomp program answer as the policy decides? Asked for every number of the machine's table, and for the edges
/// of what lies behind it. Calls that are decided by their arguments are asked without any, and must not be killed.
#pragma once

#include "../backend/seccomp.hpp"
#include "tally.hpp"

#include <string>

namespace cordon::verifying {

/// What is decided about a number, told call by call and not by the intervals that the program is made of.
[[nodiscard]] constexpr seccomp::decision decision_on(const seccomp::demand& d, std::uint32_t number) {
  using namespace seccomp;
  if (d.cpu == arch::x86_64 && (number >= x32_bit || (number >= x32_slots_begin && number < x32_slots_end)))
    return decision::kill;
  const kind k = number < number_set::limit ? kind_of(d.cpu, number) : kind::unreviewed;
  if (number < number_set::limit && d.denied.has(number) && k != kind::clone3) return decision::refuse;
  return decide(d, k);
}

/// Calls `f(difference)` for each number on which the program and the decision differ. O(numbers).
template <class S, class F>
[[nodiscard]] tally verify_seccomp(const basic_policy<S>& p, const plan<seccomp::rules<S>>& made, F&& f) {
  using namespace seccomp;
  using seccomp::answer;
  constexpr answer answers[plain_decisions]{pass, not_permitted, no_such_call, kill_process};
  const demand d = demand_of(p, {.cpu = made.rules.cpu});
  tally all;
  const auto check = [&](std::uint32_t number) {
    const decision wanted = decision_on(d, number);
    data call;
    call.nr = static_cast<decltype(call.nr)>(number);
    const answer said = answer_to(made.rules, call);
    const auto index = static_cast<std::size_t>(wanted);
    const bool fine = index < plain_decisions ? said == answers[index] : !(said == kill_process);
    all.count(fine, false);
    if (!fine) f(difference{"call " + std::to_string(number), said == pass});
  };
  for (std::uint32_t n = 0; n < number_set::limit + 64; ++n) check(n);
  for (const std::uint32_t n : {0x3FFFFFFFU, 0x40000000U, 0x40000001U, 0x7FFFFFFFU, 0x80000000U, 0xFFFFFFFFU}) check(n);
  return all;
}

} // namespace cordon::verifying
