// SPDX-License-Identifier: BSL-1.0
/// Policies as text, one clause a line:
///
///   level process_exec          profile, level, syscalls, fallback, interpreters: one word
///   run /usr                    files: read run write hide PLACE, allow RIGHT,... PLACE; or files any|none
///   write /srv/job
///   hide /srv/job/.git
///   workspace write /srv/job    the host's own tools: the same verbs; or workspace any|none
///   network none                any|none; so are sockets, and the lists
///   capabilities process.exec   capabilities, abilities, executables: any, none, or names
///   deny memfd_create           system calls
///   limit memory 512MiB
///   pass PATH LC_*              environment: pass, set NAME=VALUE, remove; or environment any|none
///
/// The same function reads files and literals. What no line speaks about is *any*, but for profile (worktree) and
/// fallback (warn). A repeated place, or two lines that both settle one axis, are errors.
#pragma once

#include "../capabilities.hpp"
#include "../limit_text.hpp"
#include "../policy.hpp"
#include "words.hpp"

#include <iterator>

namespace cordon::notation {

/// What relative places and `~` are relative to; empty where there is nothing.
struct facts {
  std::string_view base{};
  std::string_view home{};
};

namespace detail {

[[nodiscard]] constexpr bool failed(const diagnostic& d) { return d.code != errc::ok; }

inline constexpr std::array<std::string_view, 4> verb_words{"read", "run", "write", "hide"};
inline constexpr rights verbs[]{verb::read, verb::run, verb::write, verb::hide};

template <class S> class parser {
public:
  constexpr parser(std::string_view text, facts f, basic_policy<S>& to) : text_(text), facts_(f), to_(to) {}

  /// The axes that lines speak about, as bits in the order of `axis`.
  [[nodiscard]] constexpr std::uint32_t said() const {
    std::uint32_t bits = 0;
    if (interpreters_said_) bits |= 1U << static_cast<unsigned>(axis::guard);
    if (denied_) bits |= 1U << static_cast<unsigned>(axis::syscalls);
    for (std::size_t i = 0; i < std::size(said_); ++i)
      if (said_[i] != said_as::nothing) bits |= 1U << i;
    return bits;
  }

  constexpr diagnostic run() {
    to_.level = level::network;
    to_.interpreters = true;
    to_.abilities = abilities::any();
    diagnostic d = each_line([&](const word& key, words& rest) { return check(key, rest); });
    if (failed(d)) return d;
    cordon::detail::each_part([&]<part P>() {
      if (!said(axis_of(P)) && P != part::calls) d = to_.template write_any<P>();
      else d = to_.template write<P>([&](auto& out) { fill<P>(out); });
      if (d.code == errc::duplicate_place) d = second<P>(d.subject);
      return !failed(d);
    });
    return d;
  }

private:
  /// How an axis has been spoken about so far.
  enum class said_as : std::uint8_t { nothing, whole, list };

  [[nodiscard]] constexpr bool said(axis a) const { return said_[static_cast<std::size_t>(a)] != said_as::nothing; }

  /// Notes that a line speaks about an axis; any, none and single words stand alone, lists add up.
  constexpr diagnostic say(axis a, said_as how, const word& w) {
    said_as& s = said_[static_cast<std::size_t>(a)];
    if (s != said_as::nothing && (s == said_as::whole || how == said_as::whole)) return at(w, errc::duplicate_key);
    s = how;
    return {};
  }

  template <class F> constexpr diagnostic each_line(F&& f) const {
    words w(text_);
    while (w.next_line()) {
      word key;
      if (!w.next(key)) return w.error;
      if (const diagnostic d = f(key, w); failed(d)) return d;
      if (failed(w.error)) return w.error;
    }
    return {};
  }

  constexpr diagnostic nothing_more(words& rest) const {
    word w;
    return rest.next(w) ? at(w, errc::syntax) : rest.error;
  }
  constexpr diagnostic one(const word& key, words& rest, word& w) const {
    if (!rest.next(w)) return failed(rest.error) ? rest.error : at(key, errc::missing_key);
    return {};
  }
  template <class Enum, std::size_t N>
  constexpr diagnostic choose(axis a, const word& key, words& rest, const std::array<std::string_view, N>& table, Enum& to) {
    word w;
    if (const diagnostic d = one(key, rest, w); failed(d)) return d;
    if (!from_name(table, w.text, to)) return at(w, errc::bad_value);
    if (const diagnostic d = say(a, said_as::whole, key); failed(d)) return d;
    return nothing_more(rest);
  }

  /// any, none, or what `rest_of_line` accepts word by word.
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

  /// A place as the last word of a line, in normal form in `normal_`.
  constexpr diagnostic place(const word& key, words& rest) {
    word w;
    if (const diagnostic d = one(key, rest, w); failed(d)) return d;
    if (!normalize(w)) return at(w, errc::bad_path);
    return nothing_more(rest);
  }
  constexpr bool normalize(const word& w) {
    std::size_t size = 0;
    if (!unescape(w, raw_, sizeof raw_, size)) return false;
    path::normalize({raw_, size}, facts_.base, facts_.home, normal_);
    return static_cast<bool>(normal_);
  }

  /// VERB PLACE or allow RIGHT,... PLACE, with `verb` read already; the rights in `rights_`, the place in `normal_`.
  constexpr diagnostic grant(const word& verb, words& rest) {
    std::size_t index = 0;
    if (from_name(verb_words, verb.text, index)) {
      rights_ = verbs[index];
      return place(verb, rest);
    }
    word w;
    if (verb.text != "allow") return at(verb, errc::unknown_key);
    if (const diagnostic d = one(verb, rest, w); failed(d)) return d;
    rights_ = {};
    for (std::string_view names = w.text; !names.empty();) {
      const std::size_t comma = names.find(',');
      right r{};
      if (!from_name(right_names, names.substr(0, comma), r)) return at(w, errc::bad_value);
      rights_ = rights_ | r;
      names.remove_prefix(comma == names.npos ? names.size() : comma + 1);
    }
    return place(verb, rest);
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
    if (k == "capabilities") return list(axis::capabilities, key, rest, [](const word& w) { return capability::is_name(w.text); });
    if (k == "executables")
      return list(axis::guard, key, rest, [&](const word& w) { return content(w).find('*') == w.text.npos && !content(w).empty(); });
    if (k == "files" || k == "network" || k == "sockets")
      return list(k == "files" ? axis::files : k == "network" ? axis::hosts : axis::sockets, key, rest, [](const word&) { return false; });
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
    abilities named;
    const diagnostic d = list(axis::abilities, key, rest, [&](const word& w) {
      ability a{};
      return from_name(ability_names, w.text, a) && (named = named | abilities(a), true);
    });
    if (failed(d) || any_) return d;
    to_.abilities = to_.abilities.is_any() ? named : to_.abilities | named;
    return {};
  }

  constexpr diagnostic check_interpreters(const word& key, words& rest) {
    constexpr std::array<std::string_view, 2> words_{"no", "yes"};
    word w;
    if (const diagnostic d = one(key, rest, w); failed(d)) return d;
    std::size_t index = 0;
    if (!from_name(words_, w.text, index)) return at(w, errc::bad_value);
    if (interpreters_said_) return at(key, errc::duplicate_key);
    interpreters_said_ = true;
    to_.interpreters = index == 1;
    return nothing_more(rest);
  }

  constexpr diagnostic check_limit(const word& key, words& rest) {
    word which, value;
    limit l{};
    if (const diagnostic d = one(key, rest, which); failed(d)) return d;
    if (!from_name(limit_names, which.text, l)) return at(which, errc::unknown_key);
    if (to_.limits.has(l)) return at(which, errc::duplicate_key);
    if (const diagnostic d = one(which, rest, value); failed(d)) return d;
    const limit_text::parsed p = limit_text::parse(value.text, is_duration(l) ? limit_text::kind::duration
                                                               : is_count(l)  ? limit_text::kind::count
                                                                              : limit_text::kind::size);
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

  /// pass, remove, set and deny: one or more words each.
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
    } while (rest.next(w));
    return rest.error;
  }

  /// The bytes of a word; valid until the next call. Empty for a bad escape.
  constexpr std::string_view content(const word& w) {
    if (!w.quoted) return w.text;
    std::size_t size = 0;
    return unescape(w, raw_, sizeof raw_, size) ? std::string_view(raw_, size) : std::string_view();
  }

  /// Adds what the lines say about one part; they have been checked.
  template <part P, class Out> constexpr void fill(Out& out) {
    if constexpr (P == part::calls) out.add({"*", 1, {}});
    if constexpr (P == part::environment) return fill_environment(out);
    each_line([&](const word& key, words& rest) -> diagnostic {
      word w = key;
      if constexpr (P == part::files || P == part::workspace) {
        const bool tools = key.text == "workspace";
        if (tools != (P == part::workspace)) return skip(rest);
        if (tools && !rest.next(w)) return {};
        if (w.text == "none" || w.text == "files" || failed(grant(w, rest))) {
          whole<P>(w, rest, out);
          return skip(rest);
        }
        if (w.text == "any") whole<P>(w, rest, out);
        else out.add({normal_.view(), rights_.bits(), {}});
      } else {
        if (key.text != key_of(P)) return skip(rest);
        while (rest.next(w))
          if (P == part::calls) out.add({w.text, 0, {}});
          else if (!w.quoted && w.text == "any") out.add(everything<P>());
          else if (w.quoted || w.text != "none") out.add({content(w), 1, {}});
      }
      return {};
    });
  }

  /// `files any`, `workspace any`: the whole tree.
  template <part P, class Out> constexpr void whole(word w, words& rest, Out& out) {
    if (w.text == "files" && !rest.next(w)) return;
    if (w.text == "any") out.add(everything<P>());
  }

  static constexpr diagnostic skip(words& rest) {
    for (word w; rest.next(w);) {}
    return {};
  }

  [[nodiscard]] static constexpr std::string_view key_of(part p) {
    switch (p) {
    case part::capabilities: return "capabilities";
    case part::hosts: return "network";
    case part::sockets: return "sockets";
    case part::calls: return "deny";
    case part::executables: return "executables";
    default: return {};
    }
  }

  /// Calls `f(key, word)` for every word of the lines pass, set and remove, in the order of the text, until it returns
  /// false; true if it never did.
  template <class F> constexpr bool variables(F&& f) {
    return !failed(each_line([&](const word& key, words& rest) -> diagnostic {
      const bool mine = key.text == "pass" || key.text == "set" || key.text == "remove";
      for (word w; rest.next(w);)
        if (mine && !f(key.text, w)) return {errc::bad_value};
      return {};
    }));
  }
  [[nodiscard]] static constexpr std::string_view name_in(std::string_view key, std::string_view text) {
    return key == "set" ? text.substr(0, text.find('=')) : text;
  }

  /// Each name or prefix once, with what all lines together say about it. O(n^2) in the names.
  template <class Out> constexpr void fill_environment(Out& out) {
    bool any = !said(axis::environment);
    each_line([&](const word& key, words& rest) -> diagnostic {
      for (word w; rest.next(w);)
        if (key.text == "environment") any = w.text == "any";
      return {};
    });
    if (any) return out.add(everything<part::environment>());
    variables([&](std::string_view key, const word& w) {
      char own[path::longest]{};
      const std::string_view text = copy(content(w), own);
      const std::string_view name = name_in(key, text);
      bool first = true, removed = false, passes = false;
      std::uint32_t set = 0;
      char value[path::longest]{};
      variables([&](std::string_view k, const word& v) {
        if (v.text.data() == w.text.data()) return true;
        const std::string_view n = name_in(k, content(v));
        if (n == name && v.text.data() < w.text.data()) first = false;
        return true;
      });
      variables([&](std::string_view k, const word& v) {
        const std::string_view t = content(v);
        const std::string_view n = name_in(k, t);
        removed = removed || (k == "remove" && names::covers(n, name));
        passes = passes || (k == "pass" && names::covers(n, name));
        if (k == "set" && n == name) {
          const std::string_view c = copy(t.substr(n.size() + 1), value);
          set = variable::set(c.size());
        }
        return true;
      });
      if (!first) return true;
      if (removed) out.add({name, variable::absent, {}});
      else if (set != 0) out.add({name, set, {value, set - 2}});
      else if (passes) out.add({name, variable::passes, {}});
      return true;
    });
  }
  static constexpr std::string_view copy(std::string_view from, char* to) {
    for (std::size_t i = 0; i < from.size(); ++i) to[i] = from[i];
    return {to, from.size()};
  }

  /// Where a place stands a second time.
  template <part P> constexpr diagnostic second(std::string_view twice) {
    int count = 0;
    diagnostic found{errc::duplicate_place};
    each_line([&](const word& key, words& rest) -> diagnostic {
      word last = key;
      const bool mine = P == part::workspace ? key.text == "workspace" : P == part::files ? key.text != "workspace" : key.text == key_of(P);
      for (word w; rest.next(w);) {
        last = w;
        if (mine && P != part::files && P != part::workspace && content(w) == twice && ++count == 2) found = at(w, errc::duplicate_place);
      }
      if (mine && (P == part::files || P == part::workspace) && normalize(last) && normal_.view() == twice && ++count == 2)
        found = at(last, errc::duplicate_place);
      return {};
    });
    return found;
  }

  std::string_view text_;
  facts facts_;
  basic_policy<S>& to_;
  said_as said_[13]{};
  bool interpreters_said_ = false;
  bool denied_ = false;
  bool any_ = false; ///< did the last list say any
  rights rights_{};
  path::normal normal_{};
  char raw_[path::longest]{};
};

} // namespace detail

/// Reads a text into `to`, an empty policy. The diagnostic says what is wrong and where (columns in bytes); its subject
/// is the word. `said` gets the axes that the text speaks about, as bits in the order of `axis`. O(n log n), O(n^2) in the names of variables.
template <class S>
constexpr diagnostic parse(std::string_view text, basic_policy<S>& to, facts f = {}, std::uint32_t* said = nullptr) {
  detail::parser<S> p(text, f, to);
  const diagnostic d = p.run();
  if (said != nullptr) *said = p.said();
  return d;
}

} // namespace cordon::notation
