// SPDX-License-Identifier: BSL-1.0
/// Checks that an index of hosts, as a gateway uses it, decides as the policy's hosts axis does. It queries every
/// pattern, its parent, a child and a sibling, the edges of its block, and both ends of each of its port ranges.
#pragma once

#include "../host/decide.hpp"
#include "../host/index.hpp"
#include "tally.hpp"

#include <set>
#include <string>

namespace cordon::verifying {

namespace detail {

/// Calls `f(address)` for the address before a block, the first and last of the block, and the one after it.
template <class F> void each_edge(const host::prefix& block, F&& f) {
  f(host::previous(block.first));
  f(block.first);
  f(block.last());
  f(host::next(block.last()));
}

template <class F> void each_neighbour(std::string_view name, F&& f) {
  const std::size_t dot = name.find('.');
  f(std::string(name));
  f("x." + std::string(name));
  f("x" + std::string(name));
  if (dot == name.npos) return;
  f(std::string(name.substr(dot + 1)));
  f("x" + std::string(name.substr(dot)));
}

} // namespace detail

/// Calls `f(difference)` for each host on which indexes and axis differ. O(patterns * ports of each).
template <class F>
[[nodiscard]] tally verify_hosts(const host_axis& axis, const host_index& allowed, const host_index& denied, F&& f) {
  tally all;
  std::set<std::uint32_t> ports{80, 443};
  const auto ask = [&](host::requested_host q, std::string_view text) {
    q.how = host::asking::host;
    for (const std::uint32_t port : ports) {
      if (port == 0 || port > host::last_port) continue;
      q.port = static_cast<std::uint16_t>(port);
      const bool said = allowed.covers(q) && !denied.covers(q), wanted = host::decide(axis, q).allowed();
      all.count(said == wanted, false);
      if (said != wanted) f(difference{"host " + std::string(text) + ":" + std::to_string(port), said});
    }
  };
  const auto ask_name = [&](const std::string& name) {
    host::requested_host q;
    q.name.add(name);
    if (!name.empty() && !q.name.is_cut()) ask(q, name);
  };
  const auto ask_address = [&](const host::address& a, std::string_view text) {
    host::requested_host q;
    q.is_address = true;
    q.address = host::unmapped(a);
    ask(q, text);
  };
  const auto ask_about = [&](step_function<host_tree> list) {
    for (std::uint32_t i = 0; i < list.size(); ++i) {
      const host::ports of = host::port_grant_of(list.at(i)).allowed;
      ports = {80, 443};
      for (std::size_t k = 0; k < of.size(); ++k)
        ports.insert({of[k].first - 1U, std::uint32_t{of[k].first}, std::uint32_t{of[k].last}, of[k].last + 1U});
      const std::string_view place = list.place(i);
      if (host::is_name_place(place)) detail::each_neighbour(host::name_of(place), ask_name);
      if (host::is_block(place))
        detail::each_edge(host::block_of(place), [&](const host::address& a) { ask_address(a, "of a block's edge"); });
    }
  };
  ask_name("example.com");
  ask_name("localhost");
  for (const std::uint32_t number : {0x08080808U, 0x0A000001U, 0x7F000001U})
    ask_address(host::ipv4(number), "anywhere");
  ask_address(host::ipv6(0x20010DB8'00000000, 1), "anywhere");
  ask_about(axis.allowed);
  ask_about(axis.denied.as<host_tree>());
  return all;
}

} // namespace cordon::verifying
