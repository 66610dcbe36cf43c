// SPDX-License-Identifier: BSL-1.0
/// Hosts as people and programs write them: internationalised names by libidn2, URLs read a second time by Boost.URL.
/// Whoever calls `ask_host` links libidn2 and Boost.URL.
#pragma once

#include "../host.hpp"

#include <boost/url/parse.hpp>
#include <boost/url/url_view.hpp>

#include <idn2.h>

#include <memory>
#include <string>

namespace cordon::format {

/// The A-label form of one label by UTS 46, non-transitional: sharp s stays itself, as in browsers. False if the label
/// has none, among them A-labels that do not decode, or decode to what would be written otherwise.
struct idna {
  bool operator()(std::string_view label, host::name_text& to) const {
    if (label.find('\0') != label.npos) return false;
    std::string text;
    for (const char c : label) text += host::lower(c);
    std::uint8_t* found = nullptr;
    const int said = idn2_lookup_u8(reinterpret_cast<const std::uint8_t*>(text.c_str()), &found, IDN2_NONTRANSITIONAL);
    const std::unique_ptr<void, decltype(&idn2_free)> owner(found, &idn2_free);
    if (said != IDN2_OK || found == nullptr) return false;
    to.add(std::string_view(reinterpret_cast<const char*>(found)));
    return !to.empty();
  }
};

/// Reads a pattern of a document.
[[nodiscard]] inline host::pattern parse_host(std::string_view text) { return host::parse(text, idna{}); }

namespace detail {

/// Does Boost.URL find the same host and port in a URL that `first` was read from? Only for ASCII, as RFC 3986 is.
[[nodiscard]] inline bool is_read_alike(std::string_view url, const host::asked& first) {
  const std::size_t path = url.find_first_of("/?#", url.find("://") + 3);
  const std::string_view origin = url.substr(0, path);
  const auto second = boost::urls::parse_uri({origin.data(), origin.size()});
  if (!second || second->has_userinfo()) return false;
  const auto name = second->encoded_host();
  const host::asked again = host::ask({name.data(), name.size()}, idna{});
  const unsigned port = second->port_number() != 0 ? second->port_number() : second->scheme() == "http" ? 80 : 443;
  return again.how == host::asking::host && port == first.port && again.place().view() == first.place().view();
}

} // namespace detail

/// Reads what a program asks for. A URL in which two readers see different hosts is malformed: the program that fetches
/// it may be a third one.
[[nodiscard]] inline host::asked ask_host(std::string_view text) {
  const host::asked a = host::ask(text, idna{});
  if (a.how != host::asking::host || text.find("://") == text.npos || !host::is_ascii(text)) return a;
  return detail::is_read_alike(text, a) ? a : host::asked{};
}

} // namespace cordon::format
