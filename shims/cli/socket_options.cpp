// SPDX-License-Identifier: BSL-1.0
#include "socket_options.hpp"

#include <cordon/host/parse.hpp>
#include <cordon/query/query.hpp>

#include <algorithm>
#include <utility>

namespace cordon::cli {
namespace {

[[nodiscard]] host::port_range ports_of(const std::string& text) {
  host::port_range r;
  if (!host::parse_ports(text, r))
    throw usage_error("--listen " + text + ": this is no port and no range of ports; write 8080 or 8000-8999");
  return r;
}

/// Does the policy let a process listen on each port of the range?
[[nodiscard]] bool allows_all(const loaded_policy& policy, host::port_range range) {
  for (std::uint32_t port = range.first; port <= range.last; ++port)
    if (!allows_port(policy, static_cast<std::uint16_t>(port))) return false;
  return true;
}

[[nodiscard]] bool lists_sockets(const policy_options& o) { return !o.listen.empty() || o.loopback; }

[[nodiscard]] format::socket_lists own_alone() {
  format::socket_lists lists;
  lists.own = true;
  return lists;
}

void check_words(const policy_options& o) {
  if (o.sockets && *o.sockets != "own" && *o.sockets != "none" && *o.sockets != "any")
    throw usage_error("--sockets takes own, none or any");
  if (o.sockets && *o.sockets != "own" && lists_sockets(o))
    throw usage_error("--sockets " + *o.sockets + " and " + (o.loopback ? "--loopback" : "--listen") +
                      " say different things; use --sockets own with it");
}

void add_listed(const policy_options& o, format::socket_lists& to) {
  for (const std::string& text : o.listen) to.listen.push_back(ports_of(text));
  to.loopback = to.loopback || o.loopback;
}

} // namespace

bool names_sockets(const policy_options& o) { return o.sockets || lists_sockets(o); }

std::optional<format::socket_lists> sockets_of(const policy_options& o, std::optional<format::socket_lists> builtin) {
  check_words(o);
  if (o.sockets == "any") return std::nullopt;
  if (o.sockets == "none") return format::socket_lists{};
  if (o.sockets || !builtin) builtin = own_alone();
  add_listed(o, *builtin);
  return builtin;
}

std::optional<format::socket_lists> narrowed_sockets(const policy_options& o, const loaded_policy& policy) {
  const auto adds = [](bool given, const std::string& option) {
    if (given)
      throw usage_error(option + " would add to the policy file; a policy is only narrowed on the command line");
  };
  check_words(o);
  const auto sockets = policy.sockets();
  adds(o.sockets == "any" && !policy.is_any<axis_id::sockets>(), "--sockets any");
  adds(o.sockets == "own" && sockets.lookup(sockets::own) == 0, "--sockets own");
  adds(o.loopback && !allows(policy, process_feature::loopback), "--loopback");
  for (const std::string& text : o.listen) adds(!allows_all(policy, ports_of(text)), "--listen " + text);
  return sockets_of(o, own_alone());
}

bool asks_for_own_sockets(const policy_options& o, const std::vector<format::document>& documents) {
  return o.sockets == "own" || std::any_of(documents.begin(), documents.end(), [](const format::document& d) {
           if (!d.says(axis::sockets)) return false;
           if (!d.exact) return d.sockets && d.sockets->own;
           return !d.exact->is_any<axis_id::sockets>() && d.exact->sockets().lookup(sockets::own) != 0;
         });
}

} // namespace cordon::cli
