// SPDX-License-Identifier: BSL-1.0
#include "dice.hpp"
#include "effort.hpp"

#include <cordon/backend/container/call_rules.hpp>
#include <cordon/backend/seccomp/compile.hpp>
#include <cordon/backend/seccomp/evaluate.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

namespace container_call_rules_test {

using namespace cordon;

namespace {

/// Does the call meet these conditions of libseccomp?
bool meets(std::span<const container::condition> all, const seccomp::data& call) {
  return std::all_of(all.begin(), all.end(), [&](const container::condition& c) {
    const std::uint64_t value = call.args[c.argument];
    switch (c.how) {
    case container::compare::equal: return value == c.value;
    case container::compare::greater: return value > c.value;
    case container::compare::masked_equal: return (value & c.mask) == c.value;
    }
    return false;
  });
}

struct section {
  std::map<std::string_view, seccomp::disposition> names;
  std::multimap<std::string_view, std::vector<container::condition>> rules;
};
section section_of(const container::call_lists& lists) {
  section s;
  using seccomp::disposition;
  for (const disposition d : {disposition::allow, disposition::refuse, disposition::absent})
    if (d != (lists.asked.strict ? disposition::absent : disposition::allow))
      lists.each_name(d, [&](std::string_view name) { s.names[name] = d; });
  lists.each_rule([&](std::string_view name, std::span<const container::condition> all) {
    s.rules.emplace(name, std::vector<container::condition>(all.begin(), all.end()));
  });
  return s;
}
/// The errno that the section returns, or 0.
std::uint32_t answered(const section& s, bool strict, std::string_view name, const seccomp::data& call) {
  if (const auto at = s.names.find(name); at != s.names.end())
    return at->second == seccomp::disposition::allow ? 0 : at->second == seccomp::disposition::refuse ? 1 : 38;
  const auto [from, end] = s.rules.equal_range(name);
  const bool any = std::any_of(from, end, [&](const auto& r) { return meets(r.second, call); });
  if (strict) return any ? 0 : 38;
  return any ? 1 : 0;
}

/// The difference between the section and cordon's own filter; strict refuses arguments with ENOSYS.
std::string difference(seccomp::filter_spec d, bool unix_sockets) {
  const section s = section_of({d, unix_sockets});
  d.unix_sockets = unix_sockets && d.network;
  const seccomp::program filter = seccomp::compile(d);
  dice random(7);
  for (const seccomp::call& c : seccomp::calls) {
    if (c.numbers[0] < 0) continue;
    const bool own =
        unix_sockets && !d.network &&
        (c.what == seccomp::call_class::socket || c.what == seccomp::call_class::peer || c.name == "socketpair");
    for (int i = 0; i < effort(400) && !own; ++i) {
      seccomp::data call{};
      call.nr = c.numbers[0];
      call.arch = seccomp::audit_arch(d.cpu);
      const std::uint32_t known[]{
          0,          1,          2,          3,       5,          6,          10,         16,     17,     38,
          132,        262,        0x800,      0x10000, 0x5412,     0x541C,     0x541D,     0x5413, 0x5423, 0x40086602,
          0x401C5820, 0x20000000, 0x10000000, 0x80,    0x7E020000, 0x00020000, 0x003D0F00, 0x5401, 0x541B, 0xC0045412};
      for (std::uint64_t& a : call.args) a = random.percent(90) ? random.one_of(known) : random.next() >> 32;
      const std::uint32_t told = answered(s, d.strict, c.name, call);
      const std::uint32_t wanted = seccomp::evaluate(filter.code(), call).error_number();
      if (told != wanted && !(d.strict && told == 38 && wanted == 1))
        return std::string(c.name) + " " + std::to_string(told) + " not " + std::to_string(wanted);
      // The kernel uses only the lower half: the upper half must not allow more.
      for (std::uint64_t& a : call.args) a |= random.next() << 32;
      if (answered(s, d.strict, c.name, call) == 0 && wanted != 0) return std::string(c.name) + " upper half";
    }
  }
  return {};
}

} // namespace

TEST_CASE("container: the runtime's seccomp rules have the verdicts of cordon's filter") {
  for (const bool strict : {false, true})
    for (const bool network : {false, true})
      for (const bool spawn : {false, true})
        for (const abilities lifted :
             {abilities(), abilities::any(), abilities(ability::namespaces), abilities(ability::raw_socket)}) {
          seccomp::filter_spec d;
          d.strict = strict, d.network = network, d.spawn = spawn, d.lifted = lifted.bits();
          d.connect = !lifted.empty(), d.pid_namespace = d.ipc_namespace = true;
          CAPTURE(strict);
          CAPTURE(network);
          CAPTURE(spawn);
          CAPTURE(lifted.bits());
          CHECK(difference(d, false) == "");
          CHECK(difference(d, true) == "");
          d.own = true;
          CHECK(difference(d, false) == "");
          d.denied = seccomp::numbers_of(d.cpu, {"getpid", "clone3", "ioctl", "uname"});
          CHECK(difference(d, false) == "");
        }
}

TEST_CASE("container: a granted socket without hosts allows unix sockets alone") {
  seccomp::filter_spec d;
  for (const bool strict : {false, true}) {
    d.strict = strict;
    const section s = section_of({d, true});
    const auto of = [&](std::string_view name, unsigned domain, unsigned type) {
      seccomp::data call{};
      call.args[0] = domain, call.args[1] = type;
      return answered(s, strict, name, call);
    };
    CHECK(of("socket", 1, 1) == 0);
    for (const unsigned other : {0U, 2U, 3U, 10U, 16U, 17U, 40U}) CHECK(of("socket", other, 1) != 0);
    CHECK(of("connect", 3, 0) == 0);
    CHECK(of("socketpair", 1, 2) == 0);
    CHECK(of("listen", 3, 0) == 1);
  }
}

} // namespace container_call_rules_test
