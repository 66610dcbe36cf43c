// SPDX-License-Identifier: BSL-1.0
/// Tests whether a proof detects a missing rule: removes each rule of a plan in turn.
#pragma once

#include "../backend/seccomp.hpp"

#include <cstdint>
#include <string>
#include <utility>

namespace cordon::verifying {

namespace detail {

/// A list without its `k`-th entry, whose children become children of its parent.
template <class Storage> [[nodiscard]] Storage without(const Storage& list, std::uint32_t k) {
  Storage less;
  const slot* const all = list.all_slots();
  const std::uint32_t above = all[k].parent;
  for (std::uint32_t i = 0; i < list.size(); ++i) {
    if (i == k) continue;
    const std::string_view place(list.text() + all[i].first, all[i].length);
    (void)less.push(place, {}, all[i].value); // fits: the list is shorter by one entry
    const std::uint32_t up = all[i].parent == k ? above : all[i].parent;
    less.all_slots()[less.size() - 1].parent = up == no_slot || up < k ? up : up - 1;
  }
  return less;
}

} // namespace detail

/// The rules as text, as the mechanism receives them.
template <class Rules>
requires requires(const Rules& r) {
  write(r, [](std::string_view) {});
}
[[nodiscard]] std::string text_of(const Rules& rules) {
  std::string out;
  write(rules, [&](std::string_view piece) { out += piece; });
  return out;
}

/// Calls `f(rules)` with one rule removed, for each rule that the mechanism receives: the entries of its lists, and the
/// switches that permit something. O(n * n).
template <class Rules, class F> void each_with_one_missing(const Rules& all, F&& f) {
  const std::string whole = text_of(all);
  const auto check = [&](const Rules& less) {
    if (text_of(less) != whole) f(less);
  };
  std::size_t lists = 0, switches = 0;
  Rules::each_list(all, [&](const auto& list) {
    for (std::uint32_t k = 0; k < list.size(); ++k) {
      if constexpr (requires { Rules::is_stated(list, k); })
        if (!Rules::is_stated(list, k)) continue;
      Rules less = all;
      Rules::each_list(less, [&, at = lists](auto& one) mutable {
        if (at-- == 0) one = detail::without(one, k);
      });
      check(less);
    }
    ++lists;
  });
  if constexpr (requires(Rules r) { r.each_switch([](auto&&) {}); }) {
    Rules(all).each_switch([&](auto&&) { ++switches; });
    for (std::size_t n = 0; n < switches; ++n) {
      Rules less = all;
      less.each_switch([&, at = n](auto&& take) mutable {
        if (at-- == 0) take();
      });
      check(less);
    }
  }
}

/// The same for a filter, whose rules are its instructions.
template <class S, class F> void each_with_one_missing(const seccomp::rules<S>& all, F&& f) {
  const auto code = all.filter.code();
  for (std::size_t k = 0; k < code.size(); ++k) {
    seccomp::rules<S> less = all;
    less.filter = {};
    for (std::size_t i = code.size(); i-- > 0;)
      if (i != k) less.filter.prepend(code[i]);
    f(std::as_const(less));
  }
}

} // namespace cordon::verifying
