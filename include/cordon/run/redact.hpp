// SPDX-License-Identifier: BSL-1.0
/// Removes apparent secrets from command lines and variables, for reports.
#pragma once

#include "../detail/ascii.hpp"

#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace cordon {

inline constexpr std::string_view redacted = "[redacted]"; ///< what replaces a secret

namespace detail {

[[nodiscard]] constexpr bool is_of_token(char c) {
  return ascii::is_alphanumeric(c) || c == '_' || c == '-' || c == '.';
}

/// Does `text` contain `word` (in lower case)? `whole`: only with no letter beside it.
[[nodiscard]] constexpr bool contains(std::string_view text, std::string_view word, bool whole) {
  for (std::size_t i = 0; i + word.size() <= text.size(); ++i) {
    std::size_t n = 0;
    while (n < word.size() && ascii::lower(text[i + n]) == word[n]) ++n;
    if (n != word.size()) continue;
    const bool alone =
        (i == 0 || !ascii::is_letter(text[i - 1])) && (i + n == text.size() || !ascii::is_letter(text[i + n]));
    if (!whole || alone) return true;
  }
  return false;
}

} // namespace detail

/// Does the name of an option, a variable or a header indicate that its value is a secret?
[[nodiscard]] constexpr bool is_secret_name(std::string_view name) {
  constexpr std::array<std::string_view, 14> anywhere{
      "token",   "secret",     "password",    "passwd",      "passphrase", "apikey",     "api-key",
      "api_key", "privatekey", "private-key", "private_key", "access_key", "access-key", "credential"};
  constexpr std::array<std::string_view, 6> alone{"auth", "authorization", "cookie", "pass", "pwd", "bearer"};
  for (const std::string_view word : anywhere)
    if (detail::contains(name, word, false)) return true;
  for (const std::string_view word : alone)
    if (detail::contains(name, word, true)) return true;
  return false;
}

/// Length of the token at the beginning of a text, if it has the form of a well-known service's token; 0: none.
[[nodiscard]] constexpr std::size_t token_at(std::string_view text) {
  constexpr std::array<std::string_view, 14> beginnings{"ghp_",   "gho_", "ghu_",  "ghs_",  "github_pat_",
                                                        "glpat-", "sk-",  "xoxb-", "xoxp-", "xoxa-",
                                                        "AKIA",   "ASIA", "eyJ",   "npm_"};
  constexpr std::size_t least = 20;
  for (const std::string_view b : beginnings) {
    if (!text.starts_with(b)) continue;
    std::size_t n = 0;
    while (n < text.size() && detail::is_of_token(text[n])) ++n;
    if (n >= least) return n;
  }
  return 0;
}

/// Removes apparent secrets from a text: the value of `NAME=value`, `NAME: value` and `--name=value` if the name
/// indicates a secret, the part before the host in `scheme://user:password@host`, and tokens by their form.
[[nodiscard]] inline std::string redact(std::string_view text) {
  const std::size_t name = text.find_first_of("=:");
  const bool named = name != text.npos && name + 1 < text.size() && text.substr(name, 3) != "://";
  if (named && text.substr(0, name).find_first_of(" \t\n") == text.npos && is_secret_name(text.substr(0, name))) {
    const std::size_t blank = text[name] == ':' && text[name + 1] == ' ' ? 1 : 0;
    return std::string(text.substr(0, name + 1 + blank)).append(redacted);
  }
  if (text.find("PRIVATE KEY-----") != text.npos) return std::string(redacted);
  std::string out;
  for (std::size_t i = 0; i < text.size();) {
    if (text.substr(i, 3) == "://") {
      out += "://";
      i += 3;
      const std::string_view authority = text.substr(i, text.find_first_of("/?# \t\n\"'", i) - i);
      if (const std::size_t at = authority.rfind('@'); at != authority.npos) {
        out += redacted;
        i += at;
      }
      continue;
    }
    const bool inside = i > 0 && detail::is_of_token(text[i - 1]);
    const std::size_t token = inside ? 0 : token_at(text.substr(i));
    if (token > 0) out += redacted;
    else out += text[i];
    i += token > 0 ? token : 1;
  }
  return out;
}

/// The same for every argument. If an option's name indicates a secret, its value in the next argument is removed
/// whole.
[[nodiscard]] inline std::vector<std::string> redact(const std::vector<std::string>& argv) {
  std::vector<std::string> out;
  bool is_value = false;
  for (const std::string& a : argv) {
    const bool option = a.size() > 1 && a[0] == '-';
    if (is_value && !option) out.emplace_back(redacted);
    else out.push_back(redact(std::string_view(a)));
    is_value = option && !out.empty() && a.find('=') == a.npos && is_secret_name(a);
  }
  return out;
}

} // namespace cordon
