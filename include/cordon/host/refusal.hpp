// SPDX-License-Identifier: BSL-1.0
/// The reason why a host is refused, and its message: `host gist.github.com is not in allowed_domains`. Every message
/// about a refused host is made here.
#pragma once

#include "../detail/utf8.hpp"
#include "decide.hpp"

#include <array>
#include <string_view>

namespace cordon::host {

/// Why a host that a command line names is refused.
enum class refusal : std::uint8_t {
  none,       ///< the host is allowed
  unlisted,   ///< no allowed pattern covers it
  port,       ///< allowed patterns cover it with other ports only
  denied,     ///< a denied pattern covers it
  scheme,     ///< it is in a URL that is neither http nor https
  unreadable, ///< it is neither a name nor an address
};

/// Names of the enumerators, by value.
inline constexpr std::array<std::string_view, 6> refusal_names{"none",   "unlisted", "port",
                                                               "denied", "scheme",   "unreadable"};
/// Returns: the name of the refusal.
[[nodiscard]] constexpr std::string_view name(refusal e) { return refusal_names[static_cast<std::size_t>(e)]; }

/// A host as written, without scheme, user, port and path, and its verdict. The texts belong to the caller.
struct judged_host {
  std::string_view written{};  ///< the host, as it was written
  refusal why = refusal::none; ///< why it is refused
  std::uint16_t port = 0;      ///< the requested port; 0: none
  std::string_view scheme{};   ///< the scheme of a URL; empty: none

  [[nodiscard]] constexpr bool is_refused() const { return why != refusal::none; } ///< Is the host refused?
};

/// The host of `[user@]host[:port]`. O(n).
[[nodiscard]] constexpr std::string_view written_host(std::string_view authority) {
  if (const std::size_t user = authority.rfind('@'); user != authority.npos) authority.remove_prefix(user + 1);
  if (authority.starts_with('[')) return authority.substr(0, authority.find(']') + 1);
  const std::size_t colon = authority.find(':');
  // More than one colon is an IPv6 address without brackets.
  return colon == authority.rfind(':') ? authority.substr(0, colon) : authority;
}

/// The same for `host`, `host:port` or a URL, in the forms of `parse_requested_host`.
[[nodiscard]] constexpr judged_host written_parts(std::string_view text) {
  judged_host to;
  if (const std::size_t colon = text.find("://"); colon != text.npos) {
    to.scheme = text.substr(0, colon);
    text.remove_prefix(colon + 3);
    text = text.substr(0, text.find_first_of("/?#"));
  }
  to.written = written_host(text);
  return to;
}

/// True if any port of that place is allowed.
[[nodiscard]] constexpr bool allows_some_port(const host_axis& hosts, std::string_view place) {
  const step_function<host_tree> denied = hosts.denied.as<host_tree>();
  return !within(port_grant_of(hosts.allowed.at(hosts.allowed.find(place))).allowed,
                 port_grant_of(denied.at(denied.find(place))).allowed, {}, {});
}

/// The reason why a host with that port is refused, or none. O(log n + depth).
[[nodiscard]] constexpr refusal refusal_of(const host_axis& hosts, const requested_host& q) {
  const decision v = decide(hosts, q);
  switch (v.cause) {
  case cause::scheme: return refusal::scheme;
  case cause::unreadable: return refusal::unreadable;
  case cause::unlisted:
    return port_grant_of(hosts.allowed.at(hosts.allowed.find(q.place().view()))).allowed.empty() ? refusal::unlisted
                                                                                                 : refusal::port;
  default: return v.allowed() ? refusal::none : refusal::denied;
  }
}

/// The same if no port is written or known: the host is refused only if no port of it is allowed.
[[nodiscard]] constexpr refusal refusal_with_any_port(const host_axis& hosts, const requested_host& q) {
  if (q.how == asking::other_scheme) return refusal::scheme;
  if (q.how == asking::malformed) return refusal::unreadable;
  const place_text place = q.place();
  if (allows_some_port(hosts, place.view())) return refusal::none;
  return port_grant_of(hosts.allowed.at(hosts.allowed.find(place.view()))).allowed.empty() ? refusal::unlisted
                                                                                           : refusal::denied;
}

/// Calls `out(piece)` with the pieces of the message. Control characters and invalid UTF-8 are escaped. O(n).
template <class Out> constexpr void write_refusal(const judged_host& h, Out&& out) {
  if (h.why == refusal::none) return;
  if (h.why == refusal::scheme) {
    out("scheme ");
    utf8::write_printable(h.scheme, out);
    out(" of host ");
    utf8::write_printable(h.written, out);
    out(" is refused: only http and https are allowed, whatever the host");
    return;
  }
  out("host ");
  utf8::write_printable(h.written, out);
  if (h.why == refusal::unreadable) out(" is invalid: it is neither a host name nor an address");
  else if (h.why == refusal::denied) out(" is in denied_domains");
  else out(" is not in allowed_domains");
  if (h.why != refusal::port) return;
  small_text<8> port;
  port.add_number(h.port, 10);
  out(" with port ");
  out(port.view());
}

} // namespace cordon::host
