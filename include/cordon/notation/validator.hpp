// SPDX-License-Identifier: BSL-1.0
/// The first pass over a text: checks every line and reads the plain axes.
#pragma once

#include "../policy/capabilities.hpp"
#include "../policy/limit_text.hpp"
#include "../policy/policy.hpp"
#include "lines.hpp"

namespace cordon::notation::detail {

class validator : lines {
public:
  constexpr validator(std::string_view text, parse_context f, plain_axes& to) : lines(text, f), to_(to) {}

  constexpr diagnostic run() {
    to_.level = level::network;
    to_.interpreters = true;
    to_.abilities = default_abilities;
    return each_line([&](const word& key, words& rest) { return check(key, rest); });
  }

  /// The axes that have a line, as bits in the order of `axis`.
  [[nodiscard]] constexpr std::uint32_t said() const {
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
    return p == axis_id::calls || p == axis_id::denied_hosts ||
           said_[static_cast<std::size_t>(axis_of(p))] != said_as::nothing;
  }

private:
  /// How the lines so far set an axis.
  enum class said_as : std::uint8_t { nothing, whole, list };

  /// Records that a line sets an axis. Lists add up; any, none or a single word must be the only line of its axis.
  constexpr diagnostic say(axis a, said_as how, const word& w) {
    said_as& s = said_[static_cast<std::size_t>(a)];
    if (s != said_as::nothing && (s == said_as::whole || how == said_as::whole)) return at(w, errc::duplicate_key);
    s = how;
    return {};
  }

  template <class Enum, std::size_t N>
  constexpr diagnostic choose(axis a, const word& key, words& rest, const std::array<std::string_view, N>& table,
                              Enum& to) {
    word w;
    if (const diagnostic d = one(key, rest, w); failed(d)) return d;
    if (!from_name(table, w.text, to)) return at(w, errc::bad_value);
    if (const diagnostic d = say(a, said_as::whole, key); failed(d)) return d;
    return nothing_more(rest);
  }

  /// Checks a line that has any, none, or words that `valid` accepts.
  template <class Valid> constexpr diagnostic list(axis a, const word& key, words& rest, Valid&& valid) {
    word w;
    if (const diagnostic d = one(key, rest, w); failed(d)) return d;
    const bool whole = !w.quoted && (w.text == "any" || w.text == "none");
    any_ = whole && w.text == "any";
    if (const diagnostic d = say(a, whole ? said_as::whole : said_as::list, key); failed(d)) return d;
    if (whole) return nothing_more(rest);
    do
      if (!valid(w)) return at(w, errc::bad_value);
    while (rest.next(w));
    return rest.error;
  }

  [[nodiscard]] static constexpr bool is_call(std::string_view s) {
    for (const char c : s)
      if (!((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_')) return false;
    return !s.empty();
  }
  [[nodiscard]] static constexpr bool is_pattern(std::string_view s) {
    return names::is_place(s) && s.find('=') == s.npos;
  }

  constexpr diagnostic check(const word& key, words& rest) {
    const std::string_view k = key.text;
    if (k == "profile") return choose(axis::profile, key, rest, profile_names, to_.profile);
    if (k == "level") return choose(axis::level, key, rest, level_names, to_.level);
    if (k == "fallback") return choose(axis::fallback, key, rest, fallback_names, to_.fallback);
    if (k == "syscalls") return choose(axis::syscalls, key, rest, syscalls_names, to_.syscalls);
    if (k == "capabilities")
      return list(axis::capabilities, key, rest, [](const word& w) { return capability::is_name(w.text); });
    if (k == "executables")
      return list(axis::guard, key, rest, [&](const word& w) {
        const std::string_view program = content(w);
        return !program.empty() && program.find('*') == program.npos && program.find('\0') == program.npos;
      });
    if (k == "files" || k == "network" || k == "sockets")
      return list(k == "files"     ? axis::files
                  : k == "network" ? axis::hosts
                                   : axis::sockets,
                  key, rest, [](const word&) { return false; });
    if (k == "connect" || k == "refuse") return check_patterns(key, rest);
    if (k == "listen" || k == "loopback" || k == "unix") return check_sockets(key, rest);
    if (k == "abilities") return check_abilities(key, rest);
    if (k == "interpreters") return check_interpreters(key, rest);
    if (k == "limit") return check_limit(key, rest);
    if (k == "workspace") return check_workspace(key, rest);
    if (k == "environment") return list(axis::environment, key, rest, [](const word&) { return false; });
    if (k == "pass" || k == "remove" || k == "set" || k == "deny") return check_words(key, rest);
    const diagnostic d = grant(key, rest);
    return failed(d) ? d : say(axis::files, said_as::list, key);
  }

  constexpr diagnostic check_abilities(const word& key, words& rest) {
    const bool first = said_[static_cast<std::size_t>(axis::abilities)] == said_as::nothing;
    abilities named;
    const diagnostic d = list(axis::abilities, key, rest, [&](const word& w) {
      ability a{};
      return from_name(ability_names, w.text, a) && (named = named | abilities(a), true);
    });
    if (failed(d)) return d;
    to_.abilities = any_ ? abilities::any() : first ? named : to_.abilities | named;
    return {};
  }

  /// Checks KEY yes|no, which may occur once in a text.
  constexpr diagnostic yes_or_no(const word& key, words& rest, bool& said, bool& to) const {
    constexpr std::array<std::string_view, 2> answers{"no", "yes"};
    word w;
    if (const diagnostic d = one(key, rest, w); failed(d)) return d;
    std::size_t index = 0;
    if (!from_name(answers, w.text, index)) return at(w, errc::bad_value);
    if (said) return at(key, errc::duplicate_key);
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
      if (const errc code = f(w); code != errc::ok) return at(w, code);
    while (rest.next(w));
    return rest.error;
  }

  constexpr diagnostic check_patterns(const word& key, words& rest) {
    if (key.text == "refuse") refused_ = true;
    else if (const diagnostic d = say(axis::hosts, said_as::list, key); failed(d)) return d;
    return each_word(key, rest,
                     [&](const word& w) { return pattern_of(content(w), facts_) ? errc::ok : errc::bad_pattern; });
  }

  constexpr diagnostic check_sockets(const word& key, words& rest) {
    if (const diagnostic d = say(axis::sockets, said_as::list, key); failed(d)) return d;
    bool on = false;
    if (key.text == "loopback") return yes_or_no(key, rest, loopback_said_, on);
    if (key.text == "unix") return place(key, rest);
    return each_word(key, rest, [&](const word& w) {
      host::port_range r;
      return host::parse_ports(w.text, r) ? errc::ok : errc::bad_value;
    });
  }

  constexpr diagnostic check_limit(const word& key, words& rest) {
    word which, value;
    limit l{};
    if (const diagnostic d = one(key, rest, which); failed(d)) return d;
    if (!from_name(limit_names, which.text, l)) return at(which, errc::unknown_key);
    if (to_.limits.has(l)) return at(which, errc::duplicate_key);
    if (const diagnostic d = one(which, rest, value); failed(d)) return d;
    const limit_text::parsed p = limit_text::parse(value.text, is_duration(l) ? limit_text::quantity::duration
                                                               : is_count(l)  ? limit_text::quantity::count
                                                                              : limit_text::quantity::size);
    if (!p) return at(value, errc::bad_limit);
    to_.limits.set(l, p.value);
    return nothing_more(rest);
  }

  constexpr diagnostic check_workspace(const word& key, words& rest) {
    word w;
    if (const diagnostic d = one(key, rest, w); failed(d)) return d;
    const bool whole = w.text == "any" || w.text == "none";
    if (const diagnostic d = say(axis::workspace, whole ? said_as::whole : said_as::list, key); failed(d)) return d;
    return whole ? nothing_more(rest) : grant(w, rest);
  }

  /// Checks pass, remove, set and deny, which take one or more words each.
  constexpr diagnostic check_words(const word& key, words& rest) {
    word w;
    if (const diagnostic d = one(key, rest, w); failed(d)) return d;
    if (key.text == "deny") denied_ = true;
    else if (const diagnostic d = say(axis::environment, said_as::list, key); failed(d)) return d;
    do {
      const std::string_view text = content(w);
      const std::string_view name = text.substr(0, text.find('='));
      const bool good = key.text == "deny"  ? is_call(text)
                        : key.text == "set" ? name.size() < text.size() && variable::is_name(name) &&
                                                  name.find('*') == name.npos && text.find('\0') == text.npos
                                            : is_pattern(text);
      if (!good) return at(w, errc::bad_value);
      if (key.text == "deny" && facts_.is_call != nullptr && !facts_.is_call(text)) return at(w, errc::unknown_call);
    } while (rest.next(w));
    return rest.error;
  }

  plain_axes& to_;
  said_as said_[13]{};
  bool interpreters_said_ = false;
  bool loopback_said_ = false;
  bool denied_ = false;
  bool refused_ = false;
  bool any_ = false; ///< was the last list any
};

} // namespace cordon::notation::detail
