// SPDX-License-Identifier: BSL-1.0
/// Random documents that people could write: every axis is any, none or a list; texts include those that need escapes.
#pragma once

#include "dice.hpp"

#include <cordon/format/document.hpp>
#include <cordon/host/parse.hpp>

namespace random_documents {

using namespace cordon;

inline std::vector<std::string> some_of(dice& d, std::initializer_list<const char*> all) {
  std::vector<std::string> some;
  for (const char* one : all)
    if (d.percent(40)) some.emplace_back(one);
  return some;
}

inline format::any_or<std::string> names(dice& d, std::initializer_list<const char*> all) {
  if (d.percent(25)) return std::nullopt;
  return some_of(d, all);
}

inline format::any_or<format::grant> grants(dice& d) {
  if (d.percent(20)) return std::nullopt;
  std::vector<format::grant> list;
  for (const std::string& place :
       some_of(d, {"/", "/a", "/a/b", "/a/b/c", "/a-", "/a/\"quoted\"\\", "/\xc3\xbc/x y", "/a/b\tc", "/home/u/.ssh",
                   "/home/u", "/~", "/a/\x01\x7f", "/\xf0\x9f\x94\x92"})) {
    constexpr rights usual[]{verb::hide, verb::read, verb::run, verb::write, verb::everything};
    list.push_back({place, d.percent(70) ? d.one_of(usual) : rights::from_bits(d.below(256))});
  }
  return list;
}

inline format::environment_text environment(dice& d) {
  format::environment_text e;
  e.pass = names(d, {"PATH", "LC_*", "LC_ALL", "L*", "A", "a b", "*"});
  e.remove = some_of(d, {"LD_*", "LC_A*", "A", "LC_ALL"});
  for (const std::string& name : some_of(d, {"A", "LC_ALL", "LD_PRELOAD", "B\"", "\xc3\xbc"}))
    e.set.insert_or_assign(name, d.percent(50) ? "" : d.percent(50) ? "x=\n\"y\"\\" : name);
  return e;
}

inline format::host_lists hosts(dice& d) {
  format::host_lists lists;
  for (host_set<heap>* list : {&lists.allowed, &lists.denied}) {
    for (const std::string& text :
         some_of(d, {"example.com", "*.example.com:443", "=api.example.com:80-90", "*", "*:8080", "10.0.0.0/8",
                     "10.1.0.0/16:22", "[2001:db8::]/32", "[::1]:1-65534", "com", "x.api.example.com", "192.0.2.7:9"}))
      list->add(host::parse(text));
    (void)list->close();
  }
  return lists;
}

inline format::socket_lists sockets(dice& d) {
  format::socket_lists lists;
  for (const std::string& text : some_of(d, {"80", "8000-8999", "8500-9000", "1-65535", "443"})) {
    host::port_range r;
    if (!host::parse_ports(text, r)) continue;
    lists.listen.push_back(r);
  }
  lists.own = d.percent(50);
  lists.loopback = d.percent(50);
  lists.unix_paths = some_of(d, {"/run", "/run/x.sock", "/a b", "/run/x.sock/y"});
  return lists;
}

/// No presets: their meaning depends on the host.
inline format::document random(dice& d) {
  format::document doc;
  doc.presets.emplace();
  if (d.percent(70)) doc.profile = static_cast<profile>(d.below(4));
  if (d.percent(70)) doc.level = static_cast<level>(d.below(5));
  if (d.percent(70)) doc.fallback = static_cast<fallback>(d.below(3));
  doc.capabilities =
      names(d, {"workspace.read_text", "workspace.delete", "process.exec", "mail.send", "mail.send.all"});
  doc.workspace = grants(d);
  doc.files = grants(d);
  if (d.percent(70)) doc.network = hosts(d);
  if (d.percent(70)) doc.sockets = sockets(d);
  if (d.percent(70))
    doc.abilities = d.percent(10) ? abilities::any() : abilities::from_bits(d.below(1U << ability_names.size()));
  if (d.percent(70)) doc.syscalls = static_cast<syscalls>(d.below(2));
  doc.denied_calls = some_of(d, {"memfd_create", "ptrace", "keyctl"});
  constexpr std::uint64_t amounts[]{1, 1'000, 90'000'000'000, 86'400'000'000'000, limits::greatest, 1'234'567};
  for (std::size_t i = 0; i < limit_names.size(); ++i)
    if (d.percent(40)) doc.limits.set(static_cast<limit>(i), d.one_of(amounts));
  if (d.percent(70)) doc.environment = environment(d);
  doc.executables = names(d, {"git", "/usr/bin/git", "a b"});
  if (d.percent(70)) doc.interpreters = d.percent(50);
  return doc;
}

} // namespace random_documents
