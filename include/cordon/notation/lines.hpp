// SPDX-License-Identifier: BSL-1.0
/// Shared by both passes over a text: its lines, and the syntax of bytes, paths and grants.
#pragma once

#include "../host/parse.hpp"
#include "../host/published_port.hpp"
#include "../policy/glob.hpp"
#include "../policy/path.hpp"
#include "../policy/profile.hpp"
#include "../policy/rights.hpp"
#include "words.hpp"

namespace cordon::notation {

/// The base of relative paths, and the directory that `~` means; empty if unknown.
struct parse_context {
  std::string_view base{}; ///< the directory of relative paths; empty: they are refused
  std::string_view home{}; ///< the directory of `~`; empty: it is refused
  /// Writes the A-label form of a label (host/parse.hpp). Null: the parser rejects labels that need one.
  bool (*idna)(std::string_view label, host::name_text& to) = nullptr;
  /// Does any architecture have a system call of that name (backend/seccomp/lookup.hpp)? Null: the parser does not
  /// check names.
  bool (*is_call)(std::string_view name) = nullptr;
  /// Is `glob:PATTERN` valid instead of a path? Set by callers that search the file system for matches.
  bool has_globs = false;
  /// Is that the name of a preset? Set by callers that list the paths of presets. Null: no line can name one.
  bool (*is_preset)(std::string_view name) = nullptr;
  /// Is `publish` valid? Set by callers that pass the ports on to a run (`each_published`).
  bool has_runs = false;
};

/// Parses a host pattern of a `connect` or `refuse` line.
[[nodiscard]] constexpr host::pattern pattern_of(std::string_view text, const parse_context& f) {
  return f.idna == nullptr ? host::parse(text) : host::parse(text, f.idna);
}

namespace detail {

// A string_view from a plain literal counts its characters, at each use in a constant expression.
using namespace std::string_view_literals;
using cordon::detail::same;

[[nodiscard]] constexpr bool failed(const diagnostic& d) { return d.code != diagnostic_code::ok; }

class lines {
protected:
  constexpr lines(std::string_view text, parse_context f) : text_(text), facts_(f) {}

  /// Calls `f(key, rest of the line)` for each line until it returns an error.
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

  static constexpr diagnostic nothing_more(words& rest) {
    word w;
    return rest.next(w) ? at(w, diagnostic_code::syntax) : rest.error;
  }
  static constexpr diagnostic one(const word& key, words& rest, word& w) {
    if (!rest.next(w)) return failed(rest.error) ? rest.error : at(key, diagnostic_code::missing_key);
    return {};
  }
  /// Parses a path, the last word of a line, into its normal form `normal_`, or a pattern of paths into `glob_`.
  constexpr diagnostic place(const word& key, words& rest) {
    word w;
    if (const diagnostic d = one(key, rest, w); failed(d)) return d;
    glob_ = content(w);
    if (!glob::is_marked(glob_)) glob_ = {};
    else if (!facts_.has_globs || !is_good_glob()) return at(w, diagnostic_code::bad_path);
    if (glob_.empty() && !normalize(w)) return at(w, diagnostic_code::bad_path);
    return nothing_more(rest);
  }
  constexpr bool normalize(const word& w) {
    std::size_t size = 0;
    if (w.quoted && !unescape(w, raw_, sizeof raw_, size)) return false;
    if (w.text.size() > sizeof raw_ && !w.quoted) return false;
    path::normalize(w.quoted ? std::string_view(raw_, size) : w.text, facts_.base, facts_.home, normal_);
    return static_cast<bool>(normal_);
  }

  /// Parses VERB PLACE or allow RIGHT,... PLACE, of which `verb` is already read. Stores the rights in `rights_`, the
  /// path in `normal_`.
  constexpr diagnostic grant(const word& verb, words& rest) {
    std::size_t index = 0;
    if (from_name(verb_names, verb.text, index)) {
      rights_ = verb_table[index].allowed;
      return place(verb, rest);
    }
    word w;
    if (!same(verb.text, "allow"sv)) return at(verb, diagnostic_code::unknown_key);
    if (const diagnostic d = one(verb, rest, w); failed(d)) return d;
    rights_ = {};
    for (std::string_view names = w.text; !names.empty();) {
      const std::size_t comma = names.find(',');
      right r{};
      if (!from_name(right_names, names.substr(0, comma), r)) return at(w, diagnostic_code::bad_value);
      rights_ = rights_ | r;
      names.remove_prefix(comma == names.npos ? names.size() : comma + 1);
    }
    return place(verb, rest);
  }

  /// The bytes of a word, valid until the next call. Empty for an invalid escape.
  constexpr std::string_view content(const word& w) {
    if (!w.quoted) return w.text;
    std::size_t size = 0;
    return unescape(w, raw_, sizeof raw_, size) ? std::string_view(raw_, size) : std::string_view();
  }

  static constexpr diagnostic skip(words& rest) {
    for (word w; rest.next(w);) {}
    return rest.error;
  }

  std::string_view text_;
  parse_context facts_;
  rights rights_{};         ///< of the last grant
  path::normal normal_{};   ///< its path
  std::string_view glob_{}; ///< with its mark, valid until the next word is read; empty for a plain path

private:
  [[nodiscard]] constexpr bool is_good_glob() const {
    const glob::pattern p(glob_.substr(glob::mark.size()));
    const std::string_view top = p.from() == glob::start::base   ? facts_.base
                                 : p.from() == glob::start::home ? facts_.home
                                                                 : "/";
    return p && top.starts_with('/');
  }

  char raw_[path::longest]{};
};

} // namespace detail

} // namespace cordon::notation
