// SPDX-License-Identifier: BSL-1.0
/// Reads the hosts and sockets of cordon JSON.
#pragma once

#include "fields.hpp"
#include "host_text.hpp"

namespace cordon::format::detail {

inline void add_pattern(const json::node& n, host_set<heap>& to) {
  const std::string_view text = n.string("a host pattern as a string");
  const host::pattern p = parse_host(text);
  if (!p) n.fail(errc::bad_pattern, "bad pattern " + shown(text) + ": " + std::string(explain(p.why)));
  to.add(p);
}

inline void add_patterns(const json::node& n, host_set<heap>& to) {
  n.each("a list of host patterns", [&](const json::node& e) { add_pattern(e, to); });
}

/// "none", "any" (an empty optional), or an object of lists.
inline std::optional<host_lists> read_network(const json::node& n) {
  constexpr std::string_view wanted = R"("none", "any" or {"allowed_domains": [...], "denied_domains": [...]})";
  if (n.is_string("any")) return std::nullopt;
  if (n.is_string("none")) return host_lists{};
  if (n.value().is_string()) n.fail(errc::bad_value, "must be " + std::string(wanted));
  host_lists lists;
  bool allows = false;
  n.members(wanted, [&](std::string_view key, const json::node& v) {
    if (key == "allowed_domains") {
      refuse_empty(v, "\"network\": \"none\" or \"any\"");
      add_patterns(v, lists.allowed);
      allows = true;
    } else if (key == "denied_domains") add_patterns(v, lists.denied);
    else v.unknown_key("allowed_domains denied_domains");
  });
  if (!allows) n.fail(errc::missing_key, "the key \"allowed_domains\" is missing");
  for (host_set<heap>* list : {&lists.allowed, &lists.denied})
    if (list->close().code != errc::ok)
      n.fail(errc::policy_too_large, "more ranges of ports at one host than cordon holds");
  return lists;
}

inline host::port_range read_ports(const json::node& n) {
  const boost::json::value& v = n.value();
  std::string text;
  if (v.is_string()) text = n.string();
  else if (v.is_number()) text = boost::json::serialize(v);
  else n.fail(errc::bad_type, "must be a port, or two of them such as \"8000-8999\"");
  host::port_range r;
  if (!host::parse_ports(text, r))
    n.fail(errc::bad_value, shown(text) + " is no port (1 to 65535) and no range such as 8000-8999");
  return r;
}

/// "none", "any" (an empty optional), or an object. Patterns go to `globs`.
inline std::optional<socket_lists> read_sockets(const json::node& n, const host_facts& facts,
                                                std::vector<glob_grant>& globs) {
  constexpr std::string_view wanted = R"("none", "any" or {"listen": [...], "loopback": true, "unix": [...]})";
  if (n.is_string("any")) return std::nullopt;
  if (n.is_string("none")) return socket_lists{};
  if (n.value().is_string()) n.fail(errc::bad_value, "must be " + std::string(wanted));
  socket_lists lists;
  n.members(wanted, [&](std::string_view key, const json::node& v) {
    if (key == "listen") v.each("a list of ports", [&](const json::node& e) { lists.listen.push_back(read_ports(e)); });
    else if (key == "loopback") lists.loopback = v.boolean();
    else if (key == "unix")
      v.each("a list of paths", [&](const json::node& e) {
        std::string place = read_place(e, facts);
        if (glob::is_marked(place)) globs.push_back(glob_at(axis_id::sockets, rights(), place, facts));
        else lists.unix_paths.push_back(std::move(place));
      });
    else v.unknown_key("listen loopback unix");
  });
  return lists;
}

} // namespace cordon::format::detail
