// SPDX-License-Identifier: BSL-1.0
/// Arguments that name a host: URLs, values of options that are called so, and user@host:path as scp writes it.
#pragma once

#include "../host/decide.hpp"
#include "value.hpp"

#include <array>

namespace cordon::guard {

namespace detail {

struct service {
  std::string_view scheme;
  std::uint16_t port;
};
// IANA, Service Name and Transport Protocol Port Number Registry.
inline constexpr std::array<service, 9> services{{{"http", 80},
                                                  {"https", 443},
                                                  {"ws", 80},
                                                  {"wss", 443},
                                                  {"ftp", 21},
                                                  {"ssh", 22},
                                                  {"sftp", 22},
                                                  {"git", 9418},
                                                  {"ldap", 389}}};

/// 0 where it is not known. `git+ssh` is ssh.
[[nodiscard]] constexpr std::uint16_t port_of(std::string_view scheme) {
  if (const std::size_t plus = scheme.rfind('+'); plus != scheme.npos) scheme.remove_prefix(plus + 1);
  for (const service& s : services)
    if (host::detail::is_scheme(scheme, s.scheme)) return s.port;
  return 0;
}

[[nodiscard]] constexpr bool has_port(std::string_view host) {
  if (const std::size_t close = host.find(']'); close != host.npos) return close + 1 < host.size();
  const std::size_t colon = host.find(':');
  return colon != host.npos && colon == host.rfind(':');
}

/// Is any port of that place allowed?
[[nodiscard]] constexpr bool allows_some_port(const host_axis& hosts, std::string_view place) {
  const step<host_tree> denied = hosts.denied.as<host_tree>();
  return !host::within(host::reach_of(hosts.allowed.at(hosts.allowed.find(place))).allowed,
                       host::reach_of(denied.at(denied.find(place))).allowed, {}, {});
}

/// `[user@]host[:port]`; without a port the given one is asked for, or, if that is 0, any. What cannot be read is not
/// allowed, so that no program may read it otherwise.
[[nodiscard]] constexpr bool allows(const host_axis& hosts, std::string_view authority, std::uint16_t port) {
  if (has(authority, '\\')) return false;
  if (const std::size_t user = authority.rfind('@'); user != authority.npos) authority.remove_prefix(user + 1);
  if (authority.ends_with(':')) authority.remove_suffix(1);
  host::asked q = host::ask(authority);
  if (q.how != host::asking::host) return false;
  if (!has_port(authority)) {
    if (port == 0) return allows_some_port(hosts, q.place().view());
    q.port = port;
  }
  return host::decide(hosts, q).allowed();
}

[[nodiscard]] constexpr bool url_refused(const url& u, const host_axis& hosts) {
  if (u.authority.empty() || (u.is_file() && u.authority == "localhost")) return false;
  return !allows(hosts, u.authority, port_of(u.scheme));
}

/// The host of `user@host:path`; empty if the text is none as a whole. O(n) up to the first `=`.
[[nodiscard]] constexpr std::string_view scp_host(std::string_view text) {
  const std::size_t stop = text.find_first_of("/:=");
  const std::size_t at = text.substr(0, stop).rfind('@');
  if (stop == text.npos || at == text.npos || at == 0 || text[0] == '-') return {};
  text.remove_prefix(at + 1);
  std::size_t end = stop - at - 1;
  if (text.starts_with('[')) end = text.find_first_of("]/=") + 1;
  return end < text.size() && text[end] == ':' ? text.substr(0, end) : std::string_view{};
}

[[nodiscard]] constexpr bool text_refused(std::string_view text, const host_axis& hosts) {
  if (const url u = url_of(text)) return url_refused(u, hosts);
  const std::string_view host = scp_host(text);
  return !host.empty() && !allows(hosts, host, 22);
}

} // namespace detail

/// Does the argument, or a value in it, name a host that is not allowed? O(n) in its size.
[[nodiscard]] constexpr bool names_refused_host(std::string_view argument, const host_axis& hosts) {
  return any_value(argument, [&](std::string_view text) { return detail::text_refused(text, hosts); });
}

/// What an argument says if its name is that of an option for hosts: nothing, a value, or that the next one is it.
struct host_option {
  bool found = false;
  bool is_next = false;
  std::string_view value{};
};

[[nodiscard]] constexpr host_option host_option_of(std::string_view argument) {
  if (!argument.starts_with('-')) return {};
  const long_option o = long_option_of(argument.substr(argument.starts_with("--") ? 2 : 1));
  return {has_word("host hostname url proxy server endpoint address domain", o.name), !o.has_value, o.value};
}

/// Is the value of such an option a host that is not allowed? A path, an option and prose are none.
[[nodiscard]] constexpr bool is_refused_host(std::string_view value, const host_axis& hosts) {
  if (value.empty() || has("-./:@", value[0]) || has_blank(value)) return false;
  if (const url u = url_of(value)) return detail::url_refused(u, hosts);
  return !detail::allows(hosts, value.substr(0, value.find_first_of("/?#")), 0);
}

} // namespace cordon::guard
