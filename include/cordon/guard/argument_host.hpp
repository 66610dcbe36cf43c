// SPDX-License-Identifier: BSL-1.0
/// Arguments that name a host: URLs, values of options with names such as --host, and `user@host:path` as scp takes it.
#pragma once

#include "../host/refusal.hpp"
#include "value.hpp"

#include <array>
#include <cstddef>
#include <string_view>

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

/// Returns: 0 if unknown. `git+ssh` is ssh.
[[nodiscard]] constexpr std::uint16_t port_of(std::string_view scheme) {
  if (const std::size_t plus = scheme.rfind('+'); plus != scheme.npos) scheme.remove_prefix(plus + 1);
  for (const service& s : services)
    if (host::is_scheme(scheme, s.scheme)) return s.port;
  return 0;
}

[[nodiscard]] constexpr bool has_port(std::string_view host) {
  if (const std::size_t close = host.find(']'); close != host.npos) return close + 1 < host.size();
  const std::size_t colon = host.find(':');
  return colon != host.npos && colon == host.rfind(':');
}

/// The host of `user@host:path`; empty if the text is not of this form. O(n) up to the first `=`.
[[nodiscard]] constexpr std::string_view scp_host(std::string_view text) {
  const std::size_t stop = text.find_first_of("/:=");
  const std::size_t at = text.substr(0, stop).rfind('@');
  if (stop == text.npos || at == text.npos || at == 0 || text[0] == '-') return {};
  text.remove_prefix(at + 1);
  std::size_t end = stop - at - 1;
  if (text.starts_with('[')) end = text.find_first_of("]/=") + 1;
  return end < text.size() && text[end] == ':' ? text.substr(0, end) : std::string_view{};
}

[[nodiscard]] constexpr bool is_web(std::string_view scheme) {
  if (const std::size_t plus = scheme.rfind('+'); plus != scheme.npos) scheme.remove_prefix(plus + 1);
  return host::is_scheme(scheme, "http") || host::is_scheme(scheme, "https");
}

} // namespace detail

/// The schemes that URLs may have.
enum class schemes : std::uint8_t {
  any, ///< any scheme: the host decides
  web, ///< http and https only, whatever the host
};

/// Names of the enumerators, by value.
inline constexpr std::array<std::string_view, 2> schemes_names{"any", "web"};
/// Returns: the name of the enumerator.
[[nodiscard]] constexpr std::string_view name(schemes s) { return schemes_names[static_cast<std::size_t>(s)]; }

/// Judges the hosts that texts name, and keeps the first that is refused. Its text belongs to the caller.
class host_judge {
public:
  /// Judges by these hosts, which the caller keeps alive.
  constexpr explicit host_judge(const host_axis& hosts, schemes allowed = schemes::any)
      : hosts_(hosts), schemes_(allowed) {}

  /// The host that was judged last.
  [[nodiscard]] constexpr const host::judged_host& found() const { return found_; }

  /// Judges `[user@]host[:port]`. Without a port, `port` applies; 0 is any port. An unreadable text is refused, since a
  /// program may parse it as another host.
  [[nodiscard]] constexpr bool refuses(std::string_view authority, std::uint16_t port) {
    found_ = {host::written_host(authority), host::refusal::unreadable, 0, {}};
    if (has(authority, '\\')) return true;
    if (const std::size_t user = authority.rfind('@'); user != authority.npos) authority.remove_prefix(user + 1);
    if (authority.ends_with(':')) authority.remove_suffix(1);
    host::requested_host q = host::parse_requested_host(authority);
    if (q.how != host::asking::host) return true;
    const bool any_port = !detail::has_port(authority) && port == 0;
    if (!detail::has_port(authority)) q.port = port;
    if (!any_port) found_.port = q.port;
    found_.why = any_port ? host::refusal_with_any_port(hosts_, q) : host::refusal_of(hosts_, q);
    return found_.is_refused();
  }

  /// A file: URL without a host is a path.
  [[nodiscard]] constexpr bool refuses(const url& u) {
    if (u.is_file() && (u.authority.empty() || u.authority == "localhost")) return false;
    if (schemes_ == schemes::web && !detail::is_web(u.scheme)) {
      found_ = {host::written_host(u.authority), host::refusal::scheme, 0, u.scheme};
      return true;
    }
    return !u.authority.empty() && refuses(u.authority, detail::port_of(u.scheme));
  }

  /// True if the argument, or a value in it, names a host that is refused. O(n) in its size.
  [[nodiscard]] constexpr bool refuses_in(std::string_view argument) {
    return any_value(argument, [&](std::string_view text) {
      if (const url u = url_of(text)) return refuses(u);
      const std::string_view host = detail::scp_host(text);
      return !host.empty() && refuses(host, 22);
    });
  }

  /// True if the value of a host option names a refused host. A path, an option and prose name none.
  [[nodiscard]] constexpr bool refuses_value(std::string_view value, std::uint16_t port = 0) {
    if (value.empty() || has("-./:@", value[0]) || has_blank(value)) return false;
    if (const url u = url_of(value)) return refuses(u);
    return refuses(value.substr(0, value.find_first_of("/?#")), port);
  }

private:
  const host_axis& hosts_;
  schemes schemes_;
  host::judged_host found_{};
};

/// An argument parsed as a host option: not one, one with its value, or one whose value is the next argument.
struct host_option {
  bool found = false;       ///< does the word name a host?
  bool is_next = false;     ///< the host is the next word
  std::string_view value{}; ///< the host, if it is in the same word
};

/// What a word with an option such as `--host` names.
[[nodiscard]] constexpr host_option host_option_of(std::string_view argument) {
  if (!argument.starts_with('-')) return {};
  const long_option o = long_option_of(argument.substr(argument.starts_with("--") ? 2 : 1));
  return {has_word("host hostname url proxy server endpoint address domain", o.name), !o.has_value, o.value};
}

} // namespace cordon::guard
