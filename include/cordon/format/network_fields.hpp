// SPDX-License-Identifier: BSL-1.0
/// Reads the hosts and sockets of cordon JSON.
#pragma once

#include "fields.hpp"
#include "host_text.hpp"

namespace cordon::format::detail {

inline void add_pattern(const json::node& n, host_set<heap>& to) {
  const std::string_view text = n.string("a host pattern as a string");
  const host::pattern p = parse_host(text);
  if (!p) n.fail(diagnostic_code::bad_pattern, "bad pattern " + shown(text) + ": " + std::string(explain(p.why)));
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
  if (n.value().is_string()) n.fail(diagnostic_code::bad_value, "must be " + std::string(wanted));
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
  if (!allows) n.fail(diagnostic_code::missing_key, "the key \"allowed_domains\" is missing");
  for (host_set<heap>* list : {&lists.allowed, &lists.denied})
    if (list->close().code != diagnostic_code::ok)
      n.fail(diagnostic_code::policy_too_large, "more ranges of ports at one host than cordon holds");
  return lists;
}

/// A number, or a text.
[[nodiscard]] inline std::string port_text(const json::node& n, std::string_view wanted) {
  if (n.value().is_string()) return std::string(n.string());
  if (!n.value().is_number()) n.fail(diagnostic_code::bad_type, "must be " + std::string(wanted));
  return boost::json::serialize(n.value());
}

inline host::port_range read_ports(const json::node& n) {
  const std::string text = port_text(n, "a port, or two of them such as \"8000-8999\"");
  host::port_range r;
  if (!host::parse_ports(text, r))
    n.fail(diagnostic_code::bad_value, shown(text) + " is no port (1 to 65535) and no range such as 8000-8999");
  return r;
}

inline host::published_port read_published(const json::node& n) {
  const std::string text = port_text(n, "a port, or two of them such as \"8080:80\"");
  const host::parsed_published_port p = host::parse_published_port(text);
  if (!p) n.fail(diagnostic_code::bad_value, shown(text) + " is not [ADDRESS:]PORT[:PORT], such as 8080:80");
  return p.value;
}

/// "none", "own", "any" (an empty optional), or an object. Patterns and published ports go to `globs` and `published`.
inline std::optional<socket_lists> read_sockets(const json::node& n, const host_facts& facts,
                                                std::vector<glob_grant>& globs,
                                                std::vector<host::published_port>& published) {
  constexpr std::string_view wanted =
      R"("none", "own", "any" or {"own": true, "listen": [...], "publish": [...], "loopback": true, "unix": [...]})";
  if (n.is_string("any")) return std::nullopt;
  if (n.is_string("none")) return socket_lists{};
  socket_lists lists;
  lists.own = n.is_string("own");
  if (lists.own) return lists;
  if (n.value().is_string()) n.fail(diagnostic_code::bad_value, "must be " + std::string(wanted));
  n.members(wanted, [&](std::string_view key, const json::node& v) {
    if (key == "own") lists.own = v.boolean() || lists.own; // publishing needs it
    else if (key == "listen")
      v.each("a list of ports", [&](const json::node& e) { lists.listen.push_back(read_ports(e)); });
    else if (key == "publish")
      v.each("a list of ports", [&](const json::node& e) {
        const host::published_port p = published.emplace_back(read_published(e));
        lists.listen.push_back({p.port, p.port});
        lists.own = true;
      });
    else if (key == "loopback") lists.loopback = v.boolean();
    else if (key == "unix")
      v.each("a list of paths", [&](const json::node& e) {
        std::string place = read_place(e, facts);
        if (glob::is_marked(place)) globs.push_back(glob_at(axis_id::sockets, rights(), place, facts));
        else lists.unix_paths.push_back(std::move(place));
      });
    else v.unknown_key("own listen publish loopback unix");
  });
  return lists;
}

} // namespace cordon::format::detail
