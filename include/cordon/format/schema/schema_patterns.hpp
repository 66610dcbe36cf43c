// SPDX-License-Identifier: BSL-1.0
/// The texts that the readers accept, as regular expressions of the subset that JSON Schema recommends: without
/// look-around, so every validator supports them. Each is as narrow as possible without refusing a text that a reader
/// accepts.
#pragma once

#include "../../policy/capabilities.hpp"
#include "../../policy/limit_text.hpp"

#include <string>

namespace cordon::format::schema_pattern {

/// `~` alone or before a slash, or any other text that is not empty.
inline constexpr std::string_view path = R"(^(~(/[^\x00]*)?|[^~\x00][^\x00]*)$)";
/// Excludes texts that cannot begin a path pattern; the reader checks the rest.
inline constexpr std::string_view glob = R"(^[^!\x00][^\x00]*$)";
/// A name of a variable, a prefix of names, or every name.
inline constexpr std::string_view variable = R"(^([^=*\x00]+\*?|\*)$)";
inline constexpr std::string_view variable_name = R"(^[^=*\x00]+$)"; ///< a name of an environment variable
inline constexpr std::string_view text = R"(^[^\x00]*$)";            ///< a text without NUL
inline constexpr std::string_view program = R"(^[^*\x00]+$)";        ///< a name or path of a program
/// A capability of the host program.
inline constexpr std::string_view host_capability = R"(^[a-z0-9_]+(\.[a-z0-9_]+)+$)";
inline constexpr std::string_view count = R"(^[0-9]*[1-9][0-9]*$)"; ///< a number above 0
inline constexpr std::string_view not_zero = R"([1-9])";            ///< a digit that is not 0, for numbers with units
inline constexpr std::string_view gap = R"(^[a-z_]+\.[a-z_]+(:[^\x00]+)?$)"; ///< the ID of a gap

/// A port.
inline constexpr std::string_view port =
    "([1-9][0-9]{0,3}|[1-5][0-9]{4}|6[0-4][0-9]{3}|65[0-4][0-9]{2}|655[0-2][0-9]|6553[0-5])";
inline constexpr std::string_view octet = "(25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])"; ///< a byte of an address
/// A label of a host name.
inline constexpr std::string_view label = "[0-9A-Za-z_]([0-9A-Za-z_-]{0,61}[0-9A-Za-z_])?";
/// The characters allowed in a name before and after a letter that is not ASCII; the IDNA library checks the rest.
inline constexpr std::string_view international = R"([^\x00-\x20%*/:?#@\[\]]*)";

/// A number and a unit.
template <std::size_t N> [[nodiscard]] std::string amount(const limit_text::unit (&units)[N], bool unit_needed) {
  std::string words;
  for (const limit_text::unit& u : units) words += (words.empty() ? "" : "|") + std::string(u.spelling);
  return R"(^[0-9]+(\.[0-9]+)? ?()" + words + (unit_needed ? ")$" : ")?$");
}

/// The groups whose names are all known, such as `workspace`: no host adds names there.
[[nodiscard]] inline std::string known_groups() {
  std::string words, last;
  for (const std::string_view k : capability::known) {
    const std::string group(k.substr(0, k.find('.')));
    if (group != last) words += (words.empty() ? "" : "|") + group;
    last = group;
  }
  return "^(" + words + ")\\.";
}

/// A port or a range of ports.
[[nodiscard]] inline std::string ports() { return std::string(port) + "(-" + std::string(port) + ")?"; }
/// A host with optional ports.
[[nodiscard]] inline std::string host(const std::string& of_host) { return "^" + of_host + "(:" + ports() + ")?$"; }
/// An IPv4 address.
[[nodiscard]] inline std::string ipv4() { return "(" + std::string(octet) + R"(\.){3})" + std::string(octet); }

/// RFC 4291, 2.2: eight groups, or fewer and one gap; the last two may be an IPv4 address.
[[nodiscard]] inline std::string ipv6() {
  const std::string group = "[0-9A-Fa-f]{1,4}", ahead = "(" + group + ":)", last = ipv4();
  const auto times = [](int least, int most) { return "{" + std::to_string(least) + "," + std::to_string(most) + "}"; };
  std::string all = ahead + "{6}(" + group + ":" + group + "|" + last + ")";
  for (int front = 0; front <= 7; ++front) {
    if (front == 0) all += "|::";
    else all.append("|").append(ahead).append("{").append(std::to_string(front)).append("}:");
    if (front <= 6) all.append("((").append(ahead).append(times(0, 6 - front)).append(group).append(")?");
    if (front <= 5) all.append("|").append(ahead).append(times(0, 5 - front)).append(last);
    if (front <= 6) all += ")";
  }
  return "(" + all + ")";
}

/// Calls `f(key, expression)` for each expression.
template <class F> void each(F&& f) {
  const auto put = [&](std::string_view key, std::string_view expression) { f(key, std::string(expression)); };
  put("path", path);
  put("glob", glob);
  put("variable", variable);
  put("variable_name", variable_name);
  put("text", text);
  put("program", program);
  put("host_capability", host_capability);
  put("known_groups", known_groups());
  put("duration", amount(limit_text::duration_units, true));
  put("size", amount(limit_text::size_units, false));
  put("count", count);
  put("not_zero", not_zero);
  put("gap", gap);
  put("ports", "^" + ports() + "$");
  const std::string name = "(=|\\*\\.)?";
  put("every_host", host("\\*"));
  put("name", host(name + std::string(label) + "(\\." + std::string(label) + ")*\\.?"));
  put("name_size", "^" + name + "[^:]{1,253}\\.?(:.*)?$");
  put("number_last", R"((^|[=.])([0-9]+|0[xX][0-9A-Fa-f]*)\.?(:.*)?$)");
  put("international",
      host(name + std::string(international) + R"([^\x00-\x7F])" + std::string(international) + "(/[0-9]{1,2})?"));
  put("ipv4", host("(=" + ipv4() + R"(\.?(/32)?|)" + ipv4() + R"(\.?(/(3[0-2]|[12]?[0-9]))?))"));
  put("ipv6", host(R"((=\[)" + ipv6() + R"(\](/128)?|\[)" + ipv6() + R"(\](/(12[0-8]|1[01][0-9]|[1-9]?[0-9]))?))"));
}

} // namespace cordon::format::schema_pattern
