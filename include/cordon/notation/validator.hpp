// SPDX-License-Identifier: BSL-1.0
/// The first pass over a text: checks every line and reads the plain axes.
#pragma once

#include "../detail/ascii.hpp"
#include "../policy/capabilities.hpp"
#include "../policy/limit_text.hpp"
#include "../policy/policy.hpp"
#include "lines.hpp"

#include <utility>

namespace cordon::notation::detail {

class validator : lines {
public:
  constexpr validator(std::string_view text, parse_context f, plain_axes& to) : lines(text, f), to_(to) {}

  constexpr diagnostic run() {
    to_.level = level::network;
    to_.interpreters = true;
    to_.abilities = default_abilities;
    bool first = true;
    const diagnostic d = each_line([&](const word& key, words& rest) {
      if (key.text != "only" || key.quoted) {
        first = false;
        return check(key, rest);
      }
      if (!std::exchange(first, false)) return at(key, diagnostic_code::syntax);
      only_ = true;
      to_.abilities = {};
      return nothing_more(rest);
    });
    if (only_ && said_[static_cast<std::size_t>(axis::level)] == said_as::nothing)
      to_.level = named_host_ ? level::network : level::process_exec;
    return d;
  }

  /// Is the first line `only`?
  [[nodiscard]] constexpr bool only() const { return only_; }

  /// The axes that have a line, as bits in the order of `axis`; all of them after `only`.
  [[nodiscard]] constexpr std::uint32_t said() const {
    if (only_) return (1U << sizeof said_ / sizeof said_[0]) - 1;
    std::uint32_t bits = 0;
    for (std::size_t i = 0; i < sizeof said_ / sizeof said_[0]; ++i)
      if (said_[i] != said_as::nothing) bits |= 1U << i;
    if (interpreters_said_) bits |= 1U << static_cast<unsigned>(axis::guard);
    if (denied_) bits |= 1U << static_cast<unsigned>(axis::syscalls);
    if (refused_) bits |= 1U << static_cast<unsigned>(axis::hosts);
    return bits;
  }
  /// Does a line set that step function?
  [[nodiscard]] constexpr bool said(axis_id p) const {
    if (p == axis_id::calls) return denied_;
    if (p == axis_id::denied_hosts) return refused_;
    return said_[static_cast<std::size_t>(axis_of(p))] != said_as::nothing;
  }

private:
  /// How the lines so far set an axis.
  enum class said_as : std::uint8_t { nothing, whole, list };

  /// Records that a line sets an axis. Lists add up; any, none or a single word must be the only line of its axis.
  constexpr diagnostic say(axis a, said_as how, const word& w) {
    said_as& s = said_[static_cast<std::size_t>(a)];
    if (s != said_as::nothing && (s == said_as::whole || how == said_as::whole))
      return at(w, diagnostic_code::duplicate_key);
    s = how;
    return {};
  }

  template <class Enum, std::size_t N>
  constexpr diagnostic choose(axis a, const word& key, words& rest, const std::array<std::string_view, N>& table,
                              Enum& to) {
    word w;
    if (const diagnostic d = one(key, rest, w); failed(d)) return d;
    if (!from_name(table, w.text, to)) return at(w, diagnostic_code::bad_value);
    if (const diagnostic d = say(a, said_as::whole, key); failed(d)) return d;
    return nothing_more(rest);
  }

  /// Checks a line that has any, none, or words that `valid` accepts.
  template <class Valid> constexpr diagnostic list(axis a, const word& key, words& rest, Valid&& valid) {
    word w;
    if (const diagnostic d = one(key, rest, w); failed(d)) return d;
    const bool whole = !w.quoted && (same(w.text, "any"sv) || same(w.text, "none"sv));
    any_ = whole && same(w.text, "any"sv);
    if (const diagnostic d = say(a, whole ? said_as::whole : said_as::list, key); failed(d)) return d;
    if (whole) return nothing_more(rest);
    do
      if (!valid(w)) return at(w, diagnostic_code::bad_value);
    while (rest.next(w));
    return rest.error;
  }

  [[nodiscard]] static constexpr bool is_call(std::string_view s) {
    for (const char c : s)
      if (!ascii::is_lower(c) && !ascii::is_digit(c) && c != '_') return false;
    return !s.empty();
  }
  [[nodiscard]] static constexpr bool is_pattern(std::string_view s) {
    return names::is_place(s) && s.find('=') == s.npos;
  }

  constexpr diagnostic check(const word& key, words& rest) {
    const std::string_view k = key.text;
    // First, because most lines of a long text are grants.
    if (std::size_t verb = 0; same(k, "allow"sv) || from_name(verb_names, k, verb)) {
      const diagnostic d = grant(key, rest);
      return failed(d) ? d : say(axis::files, said_as::list, key);
    }
    if (same(k, "profile"sv)) return choose(axis::profile, key, rest, profile_names, to_.profile);
    if (same(k, "level"sv)) return choose(axis::level, key, rest, level_names, to_.level);
    if (same(k, "fallback"sv)) return choose(axis::fallback, key, rest, fallback_names, to_.fallback);
    if (same(k, "syscalls"sv)) return choose(axis::syscalls, key, rest, syscalls_names, to_.syscalls);
    if (same(k, "capabilities"sv))
      return list(axis::capabilities, key, rest, [](const word& w) { return capability::is_name(w.text); });
    if (same(k, "executables"sv))
      return list(axis::guard, key, rest, [&](const word& w) {
        const std::string_view program = content(w);
        return !program.empty() && program.find('*') == program.npos && program.find('\0') == program.npos;
      });
    if (same(k, "files"sv) || same(k, "network"sv) || same(k, "sockets"sv)) {
      const diagnostic d = list(same(k, "files"sv)     ? axis::files
                                : same(k, "network"sv) ? axis::hosts
                                                       : axis::sockets,
                                key, rest, [&](const word& w) { return same(k, "sockets"sv) && is_own(w); });
      named_host_ = named_host_ || (same(k, "network"sv) && any_);
      return d;
    }
    if (same(k, "preset"sv) || same(k, "drop"sv)) return check_presets(key, rest);
    if (same(k, "connect"sv) || same(k, "refuse"sv)) return check_patterns(key, rest);
    if (same(k, "publish"sv)) return check_published(key, rest);
    if (same(k, "listen"sv) || same(k, "loopback"sv) || same(k, "unix"sv)) return check_sockets(key, rest);
    if (same(k, "abilities"sv)) return check_abilities(key, rest);
    if (same(k, "interpreters"sv)) return check_interpreters(key, rest);
    if (same(k, "limit"sv)) return check_limit(key, rest);
    if (same(k, "workspace"sv)) return check_workspace(key, rest);
    if (same(k, "environment"sv)) return list(axis::environment, key, rest, [](const word&) { return false; });
    if (same(k, "pass"sv) || same(k, "remove"sv) || same(k, "set"sv) || same(k, "deny"sv))
      return check_words(key, rest);
    return at(key, diagnostic_code::unknown_key);
  }

  constexpr diagnostic check_abilities(const word& key, words& rest) {
    const bool first = said_[static_cast<std::size_t>(axis::abilities)] == said_as::nothing;
    abilities named;
    const diagnostic d = list(axis::abilities, key, rest, [&](const word& w) {
      abilities a;
      const bool is_known = from_word(w.text, a);
      if (is_known) named = named | a;
      return is_known;
    });
    if (failed(d)) return d;
    to_.abilities = any_ ? abilities::any() : first ? named : to_.abilities | named;
    return {};
  }

  /// Checks KEY yes|no, which may occur once in a text.
  static constexpr diagnostic yes_or_no(const word& key, words& rest, bool& said, bool& to) {
    constexpr std::array<std::string_view, 2> answers{"no", "yes"};
    word w;
    if (const diagnostic d = one(key, rest, w); failed(d)) return d;
    std::size_t index = 0;
    if (!from_name(answers, w.text, index)) return at(w, diagnostic_code::bad_value);
    if (said) return at(key, diagnostic_code::duplicate_key);
    said = true;
    to = index == 1;
    return nothing_more(rest);
  }
  constexpr diagnostic check_interpreters(const word& key, words& rest) {
    return yes_or_no(key, rest, interpreters_said_, to_.interpreters);
  }

  /// Calls `f(word)` for every word of the rest of the line, which must have at least one.
  template <class F> constexpr diagnostic each_word(const word& key, words& rest, F&& f) const {
    word w;
    if (const diagnostic d = one(key, rest, w); failed(d)) return d;
    do
      if (const diagnostic_code code = f(w); code != diagnostic_code::ok) return at(w, code);
    while (rest.next(w));
    return rest.error;
  }

  /// Checks `preset NAME...` and `drop preset NAME...`.
  constexpr diagnostic check_presets(const word& key, words& rest) {
    if (facts_.is_preset == nullptr) return at(key, diagnostic_code::unknown_key);
    if (same(key.text, "drop"sv)) {
      word w;
      if (const diagnostic d = one(key, rest, w); failed(d)) return d;
      if (!same(w.text, "preset"sv)) return at(w, diagnostic_code::syntax);
    }
    if (const diagnostic d = say(axis::files, said_as::list, key); failed(d)) return d;
    return each_word(key, rest, [&](const word& w) {
      return facts_.is_preset(w.text) ? diagnostic_code::ok : diagnostic_code::bad_value;
    });
  }

  constexpr diagnostic check_patterns(const word& key, words& rest) {
    if (same(key.text, "refuse"sv)) refused_ = true;
    else if (const diagnostic d = say(axis::hosts, said_as::list, key); failed(d)) return d;
    named_host_ = named_host_ || same(key.text, "connect"sv);
    return each_word(key, rest, [&](const word& w) {
      return pattern_of(content(w), facts_) ? diagnostic_code::ok : diagnostic_code::bad_pattern;
    });
  }

  /// Is it the word `own`? A text may have it once.
  constexpr bool is_own(const word& w) { return !w.quoted && same(w.text, "own"sv) && !std::exchange(own_said_, true); }

  constexpr diagnostic check_sockets(const word& key, words& rest) {
    if (const diagnostic d = say(axis::sockets, said_as::list, key); failed(d)) return d;
    bool on = false;
    if (same(key.text, "loopback"sv)) return yes_or_no(key, rest, loopback_said_, on);
    if (same(key.text, "unix"sv)) return place(key, rest);
    return each_word(key, rest, [&](const word& w) {
      host::port_range r;
      return host::parse_ports(w.text, r) ? diagnostic_code::ok : diagnostic_code::bad_value;
    });
  }

  constexpr diagnostic check_published(const word& key, words& rest) {
    if (!facts_.has_runs) return at(key, diagnostic_code::unknown_key);
    if (const diagnostic d = say(axis::sockets, said_as::list, key); failed(d)) return d;
    return each_word(key, rest, [&](const word& w) {
      return host::parse_published_port(w.text) ? diagnostic_code::ok : diagnostic_code::bad_value;
    });
  }

  constexpr diagnostic check_limit(const word& key, words& rest) {
    word which, value;
    limit l{};
    if (const diagnostic d = one(key, rest, which); failed(d)) return d;
    if (!from_name(limit_names, which.text, l)) return at(which, diagnostic_code::unknown_key);
    if (to_.limits.has(l)) return at(which, diagnostic_code::duplicate_key);
    if (const diagnostic d = one(which, rest, value); failed(d)) return d;
    const limit_text::parsed p = limit_text::parse(value.text, row_of(l).quantity);
    if (!p) return at(value, diagnostic_code::bad_limit);
    to_.limits.set(l, p.value);
    return nothing_more(rest);
  }

  constexpr diagnostic check_workspace(const word& key, words& rest) {
    word w;
    if (const diagnostic d = one(key, rest, w); failed(d)) return d;
    const bool whole = same(w.text, "any"sv) || same(w.text, "none"sv);
    if (const diagnostic d = say(axis::workspace, whole ? said_as::whole : said_as::list, key); failed(d)) return d;
    return whole ? nothing_more(rest) : grant(w, rest);
  }

  /// Checks pass, remove, set and deny, which take one or more words each.
  constexpr diagnostic check_words(const word& key, words& rest) {
    word w;
    if (const diagnostic d = one(key, rest, w); failed(d)) return d;
    if (same(key.text, "deny"sv)) denied_ = true;
    else if (const diagnostic d = say(axis::environment, said_as::list, key); failed(d)) return d;
    do {
      const std::string_view text = content(w);
      const std::string_view name = text.substr(0, text.find('='));
      const bool good = same(key.text, "deny"sv)  ? is_call(text)
                        : same(key.text, "set"sv) ? name.size() < text.size() && variable::is_name(name) &&
                                                        name.find('*') == name.npos && text.find('\0') == text.npos
                                                  : is_pattern(text);
      if (!good) return at(w, diagnostic_code::bad_value);
      if (same(key.text, "deny"sv) && facts_.is_call != nullptr && !facts_.is_call(text))
        return at(w, diagnostic_code::unknown_call);
    } while (rest.next(w));
    return rest.error;
  }

  plain_axes& to_;
  said_as said_[13]{};
  bool interpreters_said_ = false;
  bool own_said_ = false;
  bool loopback_said_ = false;
  bool denied_ = false;
  bool refused_ = false;
  bool only_ = false;
  bool named_host_ = false; ///< does a line allow a host
  bool any_ = false;        ///< was the last list any
};

} // namespace cordon::notation::detail
