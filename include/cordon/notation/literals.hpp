// SPDX-License-Identifier: BSL-1.0
/// `"run /usr\nwrite /srv/job"_policy`: a policy in notation as a constant. An error stops the build, and the compiler
/// prints the error, its line and its column as arguments of `policy_text_error`.
#pragma once

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
template <errc What, std::uint32_t Line, std::uint32_t Column> struct policy_text_error;

template <literal Text>
inline constexpr diagnostic literal_error = [] {
  policy p;
  diagnostic d = notation::parse(Text.view(), p);
  d.subject = {};
  return d;
}();

template <literal Text> consteval policy literal_policy() {
  constexpr diagnostic d = literal_error<Text>;
  if constexpr (d.code != errc::ok)
    return sizeof(policy_text_error<d.code, d.line, d.column>) != 0 ? policy{} : policy{};
  else {
    policy p;
    notation::parse(Text.view(), p);
    return p;
  }
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
