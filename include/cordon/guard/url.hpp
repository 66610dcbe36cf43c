// SPDX-License-Identifier: BSL-1.0
/// URLs as far as the guard parses them: a text that is a URL as a whole, of any scheme.
#pragma once

#include "../detail/ascii.hpp"
#include "../host/requested_host.hpp"
#include "word_list.hpp"

namespace cordon::guard {

/// `scheme://authority` and the rest; the scheme is empty if the text is not a URL.
struct url {
  std::string_view scheme{};    ///< before `://`
  std::string_view authority{}; ///< between `://` and the next slash, question mark or hash
  std::string_view path{};      ///< with its slash; without query and fragment

  [[nodiscard]] constexpr explicit operator bool() const { return !scheme.empty(); } ///< Is it a URL?
  /// Is it a file: URL, which names a path?
  [[nodiscard]] constexpr bool is_file() const { return host::is_scheme(scheme, "file"); }
};

/// Parses a text without blanks. Without a scheme, O(1) in the text after the colon.
[[nodiscard]] constexpr url url_of(std::string_view text) {
  std::size_t colon = 0;
  while (colon < text.size() && (ascii::is_alphanumeric(text[colon]) || has("+-.", text[colon]))) ++colon;
  if (colon == text.size() || text[colon] != ':') return {};
  url u{text.substr(0, colon), {}, {}};
  if (!host::is_scheme(u.scheme)) return {};
  std::string_view rest = text.substr(colon + 1);
  if (rest.starts_with("//")) {
    rest.remove_prefix(2);
    u.authority = rest.substr(0, rest.find_first_of("/?#"));
    rest.remove_prefix(u.authority.size());
  } else if (!u.is_file() || !rest.starts_with('/')) return {}; // RFC 8089, appendix B: file:/path is a URL too
  u.path = rest.substr(0, rest.find_first_of("?#"));
  return u;
}

} // namespace cordon::guard
