// SPDX-License-Identifier: BSL-1.0
#include "effort.hpp"
#include "golden.hpp"
#include "holds.hpp"
#include "proof.hpp"

#include <cordon/backend/namespaces.hpp>

namespace backend_namespaces_test {

using namespace cordon;
using namespace cordon::dsl;

namespace {

using small = basic_policy<fixed_storage<64, 1024>>;
using plan_of = plan<namespaces::rules<fixed_storage<64, 1024>>>;

constexpr plan_of compiled(std::initializer_list<clause> clauses, namespaces::target t = {}) {
  const small p = policy_of<small>(clauses);
  return namespaces::compile(p, t);
}

constexpr bool may(const plan_of& made, process_feature which) { return namespaces::permits(made.rules, which); }

constexpr auto quiet = compiled({can_write("/w"), can_use(ability::spawn)});
constexpr auto some = compiled({can_connect("example.com")});
constexpr auto gateway = compiled({can_connect("example.com"), can_listen("8080")}, {true});
constexpr small open_policy = [] {
  small p = policy_of<small>({can_read("/r")});
  p.level = level::network;
  return p;
}();
constexpr small reaching = [] {
  small p;
  p.level = level::network;
  if (p.write_any<axis_id::hosts>().code != diagnostic_code::ok) p.level = level::none;
  return p;
}();
constexpr auto machine = namespaces::compile(reaching, {});
constexpr small serving = [] {
  small p = reaching;
  if (p.write<axis_id::sockets>([](auto& out) { out.add({sockets::loopback, 1, {}}); }).code != diagnostic_code::ok)
    p = {};
  return p;
}();

std::string text_of(const small& p, const namespaces::target& t = {}) {
  return proof::text_of(namespaces::compile(p, t).rules);
}

} // namespace

TEST_CASE("namespaces: the network is empty unless every host is allowed or a gateway is used") {
  HOLDS(quiet.rules.network == namespaces::network_mode::none && some.rules.network == namespaces::network_mode::none);
  HOLDS(gateway.rules.network == namespaces::network_mode::gateway &&
        machine.rules.network == namespaces::network_mode::host);
  HOLDS(!may(quiet, process_feature::some_host) && !may(some, process_feature::some_host));
  HOLDS(may(gateway, process_feature::some_host) && !may(gateway, process_feature::any_host));
  HOLDS(may(machine, process_feature::any_host) && may(machine, process_feature::some_host) &&
        may(machine, process_feature::loopback));
  HOLDS(namespaces::compile(open_policy, {true}).rules.network == namespaces::network_mode::none);
}

TEST_CASE("namespaces: listening is a gap private_network or host_network") {
  for (const process_feature f : {process_feature::listen, process_feature::any_port, process_feature::loopback}) {
    CHECK(!may(gateway, f));
    CHECK(may(machine, f));
  }
  HOLDS(gateway.gaps.has("namespaces.private_network") && !gateway.gaps.has("namespaces.hosts"));
  HOLDS(some.gaps.has("namespaces.hosts") && !some.gaps.has("namespaces.private_network"));
  HOLDS(machine.gaps.has("namespaces.host_network") && machine.gaps.any_unenforced());
  HOLDS(namespaces::compile(serving, {}).gaps.has("namespaces.host_network"));
  HOLDS(!quiet.gaps.has("namespaces.host_network") && !quiet.gaps.has("namespaces.private_network"));
}

TEST_CASE("namespaces: new processes cannot be denied, which is a gap") {
  HOLDS(may(quiet, process_feature::spawn) && may(some, process_feature::spawn));
  HOLDS(some.gaps.has("namespaces.spawn") && !quiet.gaps.has("namespaces.spawn"));
}

TEST_CASE("namespaces: nested user namespaces need the ability namespaces") {
  HOLDS(!quiet.rules.nests && compiled({can_use(ability::namespaces)}).rules.nests);
  constexpr auto any = namespaces::compile(samples::all[1].policy, {});
  HOLDS(any.rules.nests);
}

TEST_CASE("namespaces: rules are sound, complete, monotone and deterministic") {
  CHECK(proof::backend_fault<namespaces::backend>({}, effort(1000)) == "");
  CHECK(proof::backend_fault<namespaces::backend>({true, false, 0}, effort(1000)) == "");
}

TEST_CASE("namespaces: any path is printed as one word of one line") {
  const std::string text = text_of(policy_of<small>({can_read("/a b"), can_write("/q\"\\\n/capabilities: all"),
                                                     can_run("/#x"), can_read("/\xff\x01"), hidden("/a b/any")}));
  CHECK(text.find("read-only noexec \"/a b\"\n") != text.npos);
  CHECK(text.find("writable \"/q\\\"\\\\\\x0a/capabilities: all\"\n") != text.npos);
  CHECK(text.find("read-only /#x\n") != text.npos);
  CHECK(text.find("read-only noexec \"/\\xff\\x01\"\n") != text.npos);
  CHECK(text.find("\n/capabilities") == text.npos);
}

TEST_CASE("namespaces: the run's own /proc, /dev and /tmp replace the host's") {
  const std::string text = text_of(policy_of<small>({can_read("/"), can_write("/proc"), hidden("/proc/kcore"),
                                                     can_write("/dev/sda"), hidden("/tmp"), can_write("/tmp/x")}));
  CHECK(text.find("writable /proc") == text.npos);
  CHECK(text.find("/dev/sda") == text.npos);
  CHECK(text.find("hide /proc/kcore\n") != text.npos);
  CHECK(text.find("hide /tmp\n") == text.npos);
  CHECK(text.find("own /dev/shm, own /tmp") != text.npos);
  CHECK(text.find("writable /tmp/x\n") != text.npos);
  CHECK(text_of(policy_of<small>({can_write("/tmp")})).find("own /tmp") == std::string::npos);
  CHECK(text_of(policy_of<small>({}), {false, true, 0}).find("at most half of it\n") != std::string::npos);
}

TEST_CASE("namespaces: rules that do not fit their storage are an error") {
  constexpr auto crowded =
      policy_of<basic_policy<fixed_storage<8, 64>>>({can_write("/a"), hidden("/a/b/c/d/e/f/g/h/i/j/k")});
  HOLDS(namespaces::compile(crowded, {}).error.code == diagnostic_code::policy_too_large);
}

TEST_CASE("namespaces: plans of sample policies") {
  for (const samples::sample& s : samples::all) {
    std::string text;
    for (const namespaces::target& t : {namespaces::target{}, namespaces::target{true, false, 0}}) {
      const auto made = namespaces::compile(s.policy, t);
      text += proof::text_of(made.rules) + proof::gap_lines(made.gaps) + "\n";
    }
    CAPTURE(s.name);
    CHECK(golden::matches("namespaces/" + std::string(s.name) + ".txt", text));
  }
}

} // namespace backend_namespaces_test
