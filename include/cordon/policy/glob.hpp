// SPDX-License-Identifier: BSL-1.0
/// Patterns of paths, with the syntax of gitignore(5). `*` and `?` match characters of one component. `[a-z]`, `[!a-z]`
/// and `[[:digit:]]` match one character, `**` any number of components. A backslash makes the next character literal.
/// A pattern without a slash before its end matches at any depth; one that ends with a slash matches directories only.
/// Characters are bytes. Unlike in gitignore(5), a leading slash is the root directory, and a leading `~/` is the home
/// directory.
#pragma once

#include "../detail/ascii.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace cordon::glob {

/// The prefix that marks a pattern in a field that also accepts a path.
inline constexpr std::string_view mark = "glob:";
/// Does the text have the mark of a pattern?
[[nodiscard]] constexpr bool is_marked(std::string_view written) { return written.starts_with(mark); }

/// Why a text is not a valid pattern.
enum class flaw : std::uint8_t { none, empty, nul, negated, dots, bracket, escape, too_many };

/// Names of the enumerators, by value.
inline constexpr std::array<std::string_view, 8> flaw_names{"none", "empty",   "nul",    "negated",
                                                            "dots", "bracket", "escape", "too_many"};
/// Returns: the name of the flaw.
[[nodiscard]] constexpr std::string_view name(flaw e) { return flaw_names[static_cast<std::size_t>(e)]; }

/// Describes the flaw and how to correct it.
[[nodiscard]] constexpr std::string_view explain(flaw f) {
  switch (f) {
  case flaw::none: return "the pattern is fine";
  case flaw::empty: return "a pattern must not be empty; ** matches everything";
  case flaw::nul: return "a pattern must not contain a NUL byte";
  case flaw::negated: return "a pattern cannot be negated; write \\! for a name that begins with !";
  case flaw::dots: return "a pattern must not contain .. as a component; name the directory";
  case flaw::bracket:
    return "[ needs a ] in the same component, and a class such as [:digit:] that POSIX has; write \\[ for [";
  case flaw::escape: return "a backslash needs a character behind it in the same component";
  case flaw::too_many: return "a pattern has at most 62 components";
  }
  return "unknown";
}

namespace detail {

[[nodiscard]] constexpr bool is_between(char c, char first, char last) { return first <= c && c <= last; }

/// Is the byte in a POSIX character class, in the C locale? Sets `known` to whether the class exists.
[[nodiscard]] constexpr bool is_in_class(std::string_view name, char c, bool& known) {
  const bool lower = ascii::is_lower(c), upper = ascii::is_upper(c), digit = ascii::is_digit(c);
  const bool graph = is_between(c, '!', '~');
  known = true;
  if (name == "alpha") return lower || upper;
  if (name == "digit") return digit;
  if (name == "alnum") return lower || upper || digit;
  if (name == "lower") return lower;
  if (name == "upper") return upper;
  if (name == "xdigit") return ascii::hex_value(c) < 16;
  if (name == "space") return c == ' ' || is_between(c, '\t', '\r');
  if (name == "blank") return c == ' ' || c == '\t';
  if (name == "punct") return graph && !lower && !upper && !digit;
  if (name == "graph") return graph;
  if (name == "print") return graph || c == ' ';
  if (name == "cntrl") return is_between(c, 0, 31) || c == 127;
  known = false;
  return false;
}

/// The class that begins at `at`, such as `[:digit:]`; empty if there is no class.
[[nodiscard]] constexpr std::string_view class_at(std::string_view text, std::size_t at) {
  if (text.substr(at, 2) != "[:") return {};
  const std::size_t end = text.find(":]", at + 2);
  return end == text.npos ? std::string_view() : text.substr(at, end + 2 - at);
}

/// The index of the bracket that closes the one at `open`; npos if it is not closed.
[[nodiscard]] constexpr std::size_t closing(std::string_view text, std::size_t open) {
  std::size_t i = open + 1;
  if (i < text.size() && (text[i] == '!' || text[i] == '^')) ++i;
  for (const std::size_t first = i; i < text.size(); ++i) {
    if (text[i] == ']' && i != first) return i;
    if (text[i] == '\\') ++i;
    else if (const std::string_view c = class_at(text, i); !c.empty()) i += c.size() - 1;
  }
  return text.npos;
}

/// Does the byte match the set between two brackets? Sets `known` to whether all classes in the set exist.
[[nodiscard]] constexpr bool is_in_set(std::string_view set, char c, bool& known) {
  known = true;
  const bool negated = set.front() == '!' || set.front() == '^';
  bool found = false;
  const auto byte_at = [&](std::size_t& i) {
    if (set[i] == '\\' && i + 1 < set.size()) ++i;
    return static_cast<unsigned char>(set[i++]);
  };
  for (std::size_t i = negated ? 1 : 0; i < set.size();) {
    if (const std::string_view name = class_at(set, i); !name.empty()) {
      bool is_class = false;
      found = is_in_class(name.substr(2, name.size() - 4), c, is_class) || found;
      known = known && is_class;
      i += name.size();
      continue;
    }
    const unsigned char first = byte_at(i);
    unsigned char last = first;
    if (i + 1 < set.size() && set[i] == '-') last = byte_at(++i);
    found = found || (first <= static_cast<unsigned char>(c) && static_cast<unsigned char>(c) <= last);
  }
  return found != negated;
}

/// Does the byte match the pattern element at `at`, which is not a star? If so, moves `at` past the element.
[[nodiscard]] constexpr bool takes(std::string_view pattern, std::size_t& at, char c) {
  std::size_t end = at + 1;
  bool good = false, known = false;
  if (pattern[at] == '?') good = true;
  else if (pattern[at] == '[') {
    end = closing(pattern, at) + 1;
    good = is_in_set(pattern.substr(at + 1, end - at - 2), c, known);
  } else {
    if (pattern[at] == '\\') ++end;
    good = pattern[end - 1] == c;
  }
  if (good) at = end;
  return good;
}

/// Does a component of a pattern match a name? O(n m).
[[nodiscard]] constexpr bool matches_name(std::string_view pattern, std::string_view name) {
  std::size_t at = 0, star = pattern.npos, retry = 0;
  for (std::size_t i = 0; i < name.size();) {
    if (at < pattern.size() && pattern[at] == '*') {
      star = ++at;
      retry = i;
    } else if (at < pattern.size() && takes(pattern, at, name[i])) ++i;
    else if (star == pattern.npos) return false;
    else {
      at = star;
      i = ++retry;
    }
  }
  while (at < pattern.size() && pattern[at] == '*') ++at;
  return at == pattern.size();
}

[[nodiscard]] constexpr flaw flaw_of_component(std::string_view text) {
  if (text == "..") return flaw::dots;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\\') {
      if (++i == text.size()) return flaw::escape;
      continue;
    }
    if (text[i] != '[') continue;
    const std::size_t end = closing(text, i);
    bool known = false;
    if (end == text.npos) return flaw::bracket;
    (void)is_in_set(text.substr(i + 1, end - i - 1), 'a', known);
    if (!known) return flaw::bracket;
    i = end;
  }
  return flaw::none;
}

} // namespace detail

/// The directory in which the first component of a pattern is searched.
enum class start : std::uint8_t { base, home, root };

/// Names of the enumerators, by value.
inline constexpr std::array<std::string_view, 3> start_names{"base", "home", "root"};
/// Returns: the name of the start.
[[nodiscard]] constexpr std::string_view name(start e) { return start_names[static_cast<std::size_t>(e)]; }

/// A parsed pattern. The text must outlive it.
class pattern {
public:
  /// Which components the next name of a path may match: bit n is component n, the bit after the last component is a
  /// match.
  using states = std::uint64_t;

  /// Parses the text after `mark`. O(n).
  constexpr explicit pattern(std::string_view text) {
    if (text.starts_with('/')) from_ = start::root;
    else if (text.starts_with("~/")) from_ = start::home;
    if (text.starts_with('!')) why_ = flaw::negated;
    else if (text.find('\0') != text.npos) why_ = flaw::nul;
    else read(from_ == start::home ? text.substr(1) : text);
  }

  [[nodiscard]] constexpr flaw why() const { return why_; }                             ///< Why the pattern is invalid.
  [[nodiscard]] constexpr explicit operator bool() const { return why_ == flaw::none; } ///< Is the pattern valid?
  [[nodiscard]] constexpr start from() const { return from_; }                          ///< Where the search starts.
  [[nodiscard]] constexpr std::size_t size() const { return count_; }                   ///< The number of components.
  /// The component with that index.
  [[nodiscard]] constexpr std::string_view component(std::size_t n) const { return components_[n]; }

  /// The number of leading components, without the last one, that are plain names. They need no search.
  [[nodiscard]] constexpr std::size_t plain_components() const {
    std::size_t n = 0;
    while (n + 1 < count_ && is_plain(components_[n])) ++n;
    return n;
  }

  /// The states before any name, if the components before `first` have been matched.
  [[nodiscard]] constexpr states before(std::size_t first = 0) const { return with_skipped(states(1) << first); }
  /// The states after one more name. 0: nothing beneath it matches either.
  [[nodiscard]] constexpr states after(states now, std::string_view name) const {
    states next = 0;
    for (std::size_t n = 0; n < count_; ++n) {
      if ((now >> n & 1) == 0) continue;
      if (components_[n] == "**") next |= states(1) << n | (n + 1 == count_ ? states(1) << count_ : 0);
      else if (detail::matches_name(components_[n], name)) next |= states(1) << (n + 1);
    }
    return with_skipped(next);
  }
  /// Does the path that led to these states match?
  [[nodiscard]] constexpr bool is_match(states now, bool is_directory) const {
    return (now >> count_ & 1) != 0 && (is_directory || !directories_);
  }
  /// Does a path match? It is relative to the directory where the pattern starts.
  [[nodiscard]] constexpr bool matches(std::string_view path, bool is_directory = false) const {
    states now = before();
    for (std::size_t end = 0; end != path.npos;) {
      end = path.find('/');
      now = after(now, path.substr(0, end));
      path.remove_prefix(end == path.npos ? path.size() : end + 1);
    }
    return is_match(now, is_directory);
  }

private:
  static constexpr std::size_t most = 62;

  constexpr void read(std::string_view text) {
    directories_ = text.ends_with('/');
    const bool at_any_depth = from_ == start::base && !text.empty() && text.find('/') >= text.size() - 1;
    if (at_any_depth) add("**");
    bool is_empty = true;
    for (std::size_t end = 0; end != text.npos && why_ == flaw::none;) {
      end = text.find('/');
      const std::string_view component = text.substr(0, end);
      text.remove_prefix(end == text.npos ? text.size() : end + 1);
      if (component.empty() || component == ".") continue;
      is_empty = false;
      if (component == "**" && count_ != 0 && components_[count_ - 1] == "**") continue;
      why_ = detail::flaw_of_component(component);
      add(component);
    }
    if (why_ == flaw::none && is_empty) why_ = flaw::empty;
  }
  constexpr void add(std::string_view component) {
    if (count_ == most) why_ = flaw::too_many;
    else components_[count_++] = component;
  }
  [[nodiscard]] static constexpr bool is_plain(std::string_view component) {
    return component.find_first_of("*?[\\") == component.npos;
  }
  /// Adds the states that skip `**`, which may match no component. A `**` at the end of the pattern must match at least
  /// one.
  [[nodiscard]] constexpr states with_skipped(states now) const {
    for (std::size_t n = 0; n + 1 < count_; ++n)
      if ((now >> n & 1) != 0 && components_[n] == "**") now |= states(1) << (n + 1);
    return now;
  }

  std::array<std::string_view, most> components_{};
  std::size_t count_ = 0;
  start from_ = start::base;
  bool directories_ = false;
  flaw why_ = flaw::none;
};

} // namespace cordon::glob
