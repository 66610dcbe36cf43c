// SPDX-License-Identifier: BSL-1.0
/// Reduces a union of patterns to the fewest patterns with the same meaning for names.
#pragma once

#include "elementary_ranges.hpp"
#include "pattern.hpp"

#include <utility>

namespace cordon::host {

/// Calls `f(range)` with the port ranges to write if `all` are allowed and a wider pattern already has `said`. For each
/// range of `all`, this is the part from the first to the last port not in `said`. So it stays one range, even if
/// `said` covers ports in its middle.
template <class F> constexpr bool each_missing(ports all, ports said, F&& f) {
  if (all.is_all() && !said.is_all()) return f(port_range{});
  std::size_t at = 0;
  port_range missing{};
  bool any = false;
  const auto flush = [&] { return !std::exchange(any, false) || f(missing); };
  const bool fine = each_run({all, said}, [&](port_range run, std::uint32_t in) {
    if (in != 1) return true;
    if (any && all[at].last < run.first && !flush()) return false;
    while (all[at].last < run.first) ++at;
    missing = {any ? missing.first : run.first, run.last};
    any = true;
    return true;
  });
  return fine && flush();
}

/// Calls `f(pattern)` with the patterns of one name: the entry `at` and, if it is d, also a following `=d`. Returns:
/// the first index after them, or 0 if f returned false.
template <class F> constexpr std::uint32_t each_name_word(step_function<host_tree> of, std::uint32_t at, F&& f) {
  const auto allowed = [&](std::uint32_t i) { return port_grant_of(of.at(i)).allowed; };
  const std::string_view place = of.place(at);
  const bool has_tree = !is_exact(place);
  const bool has_exact =
      !has_tree || (at + 1 < of.size() && is_exact(of.place(at + 1)) && name_of(of.place(at + 1)) == place);
  const ports said = allowed(of.parent(at));
  const ports below = has_tree ? allowed(at) : said;
  const ports itself = has_exact ? allowed(at + (has_tree ? 1 : 0)) : below;
  // A range that both sides have whole is written once. Otherwise `=d:443` and `*.d` are clearer than d:443.
  port_set both, but;
  for (std::size_t i = 0, k = 0; i < below.size() && k < itself.size();) {
    if (below[i] == itself[k]) both.append(below[i]);
    if (below[i].last <= itself[k].last) ++i;
    else ++k;
  }
  but.pick({both.view(), said}, [](std::uint32_t in) { return in != 0; });
  pattern p;
  p.name.add(name_of(place));
  const auto write = [&](shape s, ports all, ports without) {
    p.shape = s;
    return each_missing(all, without, [&](port_range r) {
      p.ports = r;
      return static_cast<bool>(f(p));
    });
  };
  const bool fine = write(shape::tree, both.view(), said) && write(shape::below, below, but.view()) &&
                    write(shape::exact, itself, but.view());
  return fine ? at + (has_tree && has_exact ? 2 : 1) : 0;
}

/// Calls `f(pattern)` with `*` and the patterns of names, until f returns false. Returns: true if it never did. O(n).
template <class F> constexpr bool each_name_word(step_function<host_tree> of, F&& f) {
  std::uint32_t at = of.upper_bound(every_name);
  pattern star;
  const bool fine = each_missing(port_grant_of(of.at(of.find(every_name))).allowed, {}, [&](port_range r) {
    star.ports = r;
    return static_cast<bool>(f(star));
  });
  if (!fine) return false;
  while (at != of.size() && is_name_place(of.place(at))) {
    at = each_name_word(of, at, f);
    if (at == 0) return false;
  }
  return true;
}

} // namespace cordon::host
