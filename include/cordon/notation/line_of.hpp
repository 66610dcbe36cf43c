// SPDX-License-Identifier: BSL-1.0
/// The line of a text that states the clause of a verdict: `line_of(text, v.axis, v.clause.place)`. A clause is found
/// also if its line changes nothing, such as `read /a/b` after `read /a`.
#pragma once

#include "../policy/policy.hpp"
#include "emitter.hpp"

namespace cordon::notation {

/// A position in a text, counted from 1 (columns in bytes). Line 0: no line states the clause.
struct position {
  std::uint32_t line = 0;   ///< from 1; 0: not found
  std::uint32_t column = 0; ///< in bytes, from 1

  [[nodiscard]] constexpr explicit operator bool() const { return line != 0; } ///< Was the clause found?
  friend constexpr bool operator==(position, position) = default;              ///< Compares line and column.
};

namespace detail {

class line_finder : lines {
public:
  constexpr line_finder(std::string_view text, parse_context f) : lines(text, f) {}

  constexpr position find(axis a, std::string_view place) {
    const bool both = a == axis::workspace && emitter(text_, facts_).shares_paths();
    (void)each_line([&](const word& key, words& rest) {
      const std::uint32_t rank = rank_of(both ? axis::files : a, place, key.text);
      if (a == axis::workspace || a == axis::files) match_path(key, rest, both ? axis::files : a, place);
      else if (rank != 0 && takes_path(key)) match_socket(key, rest, place);
      else if (rank != 0) match_words(a, key, rest, place, rank);
      return skip(rest);
    });
    return {found_.line, found_.column};
  }

private:
  /// Which lines may state a clause of that axis: 0 for none. A higher rank wins: `remove` over `set` over `pass`.
  [[nodiscard]] static constexpr std::uint32_t rank_of(axis a, std::string_view place, std::string_view key) {
    switch (a) {
    case axis::environment: return key == "remove" ? 3 : key == "set" ? 2 : key == "pass" || key == "environment";
    case axis::hosts: return place.starts_with('!') ? key == "refuse" : key == "connect" || key == "network";
    case axis::syscalls: return place.empty() ? key == "syscalls" : key == "deny";
    case axis::guard: return place.empty() ? key == "interpreters" : key == "executables";
    case axis::limits: return key == "limit";
    case axis::sockets:
      if (place == sockets::listening) return key == "listen" || key == "publish";
      if (place == sockets::loopback) return key == place;
      return place == everything<axis_id::sockets>().place || place == sockets::own ? key == "sockets" : key == "unix";
    default: return key == name(a);
    }
  }
  [[nodiscard]] static constexpr bool takes_path(const word& key) { return key.text == "unix"; }

  constexpr void take(const word& w, std::uint32_t rank) {
    if (rank <= best_) return;
    best_ = rank;
    found_ = w;
  }

  /// The path is the last word of its line.
  constexpr void match_path(const word& key, words& rest, axis a, std::string_view wanted) {
    word w = key;
    if ((key.text == "workspace") != (a == axis::workspace)) return;
    if (key.text == "workspace" && !rest.next(w)) return;
    if (w.text == "files" && !rest.next(w)) return;
    if (w.text == "any") return wanted == "/" ? take(key, 1) : void();
    if (!failed(grant(w, rest)) && glob_.empty() && normal_.view() == wanted) take(key, 1);
  }
  constexpr void match_socket(const word& key, words& rest, std::string_view wanted) {
    if (!failed(place(key, rest)) && glob_.empty() && normal_.view() == wanted) take(key, 1);
  }

  constexpr void match_words(axis a, const word& key, words& rest, std::string_view place, std::uint32_t rank) {
    const bool single = a == axis::profile || a == axis::level || a == axis::fallback || place.empty() ||
                        place == sockets::listening || place == sockets::loopback;
    if (single) return take(key, rank);
    for (word w; rest.next(w);) {
      const std::string_view text = content(w);
      const bool any = !w.quoted && w.text == "any";
      if (a == axis::hosts) match_host(key, w, text, place);
      else if (any ? place == "*" || a == axis::abilities
                   : (key.text == "set" ? text.substr(0, text.find('=')) : text) == place)
        return take(key, rank);
    }
  }

  /// The same pattern, or else the same host with other ports: the pattern of a verdict is canonical.
  constexpr void match_host(const word& key, const word& w, std::string_view text, std::string_view place) {
    if (place.starts_with('!')) place.remove_prefix(1);
    if (key.text == "network") return w.text == "any" && place == host::everything ? take(key, 1) : void();
    host::pattern p = pattern_of(text, facts_);
    const host::pattern wanted = pattern_of(place, facts_);
    if (!p || !wanted) return;
    if (host::text_of(p).view() == host::text_of(wanted).view()) return take(key, 2);
    p.ports = wanted.ports;
    if (host::text_of(p).view() == host::text_of(wanted).view()) take(key, 1);
  }

  word found_{};
  std::uint32_t best_ = 0;
};

} // namespace detail

/// The position of the line that states the clause of that axis. `place` is the path, name or pattern of the clause,
/// with `!` before a denied pattern; empty for an axis with one value. Of several lines, the one that decides: `remove`
/// before `set` before `pass`, else the first. The text has been parsed with the same context. Returns: line 0 if no
/// line states it. O(n).
[[nodiscard]] constexpr position line_of(std::string_view text, axis a, std::string_view place, parse_context f = {}) {
  return detail::line_finder(text, f).find(a, place);
}

} // namespace cordon::notation
