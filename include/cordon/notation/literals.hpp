// SPDX-License-Identifier: BSL-1.0
/// `"run /usr\nwrite /srv/job"_policy`: a policy in notation as a constant. An error stops the build, and the compiler
/// prints the error, its line, its column and the word as arguments of `policy_text_error`.
#pragma once

#include "../detail/message_words.hpp"
#include "parse.hpp"

#include <cstddef>

namespace cordon {

namespace detail {

template <std::size_t N> struct literal {
  char text[N]{};
  consteval literal(const char (&from)[N]) {
    for (std::size_t i = 0; i < N; ++i) text[i] = from[i];
  }
  [[nodiscard]] constexpr std::string_view view() const { return {text, N - 1}; }
};

/// Never defined: the compiler prints its arguments.
template <diagnostic_code What, std::uint32_t Line, std::uint32_t Column, auto... Word> struct policy_text_error;

/// A diagnostic with a copy of its subject, of which a message needs no more.
struct text_error {
  diagnostic_code code;
  std::uint32_t line, column;
  host::small_text<160> text{};
};

template <const text_error& E, auto... Word> constexpr void stop_at(message_words<Word...>) {
  static_cast<void>(sizeof(policy_text_error<E.code, E.line, E.column, Word...>));
}

/// Parses a copy: g++ 12 with -fsanitize=undefined takes no address within a template argument for a constant.
template <std::size_t N> constexpr text_error parse_copy(literal<N> text, policy& to) {
  const diagnostic d = notation::parse(text.view(), to);
  text_error e{d.code, d.line, d.column, {}};
  e.text.add(d.subject);
  return e;
}

template <literal Text>
inline constexpr text_error literal_error = [] {
  policy p;
  return parse_copy(Text, p);
}();

template <literal Text> consteval policy literal_policy() {
  policy p;
  if constexpr (literal_error<Text>.code != diagnostic_code::ok)
    stop_at<literal_error<Text>>(words_of_text<literal_error<Text>>());
  else parse_copy(Text, p);
  return p;
}

template <literal Text> inline constexpr policy literal_value = literal_policy<Text>();

} // namespace detail

inline namespace literals {
/// A reference to a constant, not a value that each use builds: clang 14 and 16 crash on code for values of that size.
template <detail::literal Text> [[nodiscard]] constexpr const policy& operator""_policy() {
  return detail::literal_value<Text>;
}
} // namespace literals

} // namespace cordon
