// SPDX-License-Identifier: BSL-1.0
#include "effort.hpp"
#include "golden.hpp"
#include "holds.hpp"
#include "proof.hpp"

#include <cordon/backend/linux.hpp>

namespace backend_linux_test {

using namespace cordon;
using namespace cordon::dsl;

namespace {

using small = basic_policy<fixed_storage<64, 1024>>;
using plan_of = plan<on_linux::rules<fixed_storage<64, 1024>>>;

constexpr plan_of compiled(std::initializer_list<clause> clauses, on_linux::target t = {}) {
  const small p = policy_of<small>(clauses);
  return on_linux::compile(p, t);
}

/// May a process of the plan make that socket?
template <class Plan>
constexpr bool makes(const Plan& made, std::uint32_t family, std::uint32_t type, std::uint32_t protocol) {
  seccomp::data call;
  call.nr = static_cast<std::int32_t>(seccomp::number_of(made.rules.calls.cpu, "socket"));
  call.arch = seccomp::audit_arch(made.rules.calls.cpu);
  call.args[0] = family, call.args[1] = type, call.args[2] = protocol;
  return seccomp::evaluate(seccomp::compile(made.rules.calls).code(), call) == seccomp::pass;
}

constexpr auto protecting = compiled({can_write("/w"), can_read("/w/.git"), hidden("/w/key"), can_use(ability::spawn)});

} // namespace

TEST_CASE("linux: the view enforces nested restrictions, and grants stay whole") {
  HOLDS(permits(protecting.rules, right::create, "/w/new") && permits(protecting.rules, right::read, "/w/.git/config"));
  HOLDS(!permits(protecting.rules, right::write, "/w/.git/config") &&
        !permits(protecting.rules, right::read, "/w/key"));
  HOLDS(protecting.rules.files.siblings.size() == 0);
  HOLDS(!protecting.gaps.any_unenforced());
}

TEST_CASE("linux: a gap of one backend that another one closes is not reported") {
  HOLDS(!protecting.gaps.has("namespaces.connect") && !protecting.gaps.has("landlock.attributes"));
  HOLDS(!protecting.gaps.has("landlock.shared_memory") && !protecting.gaps.has("tree.daemons"));
  HOLDS(!compiled({can_read("/r")}).gaps.has("namespaces.spawn"));
  HOLDS(protecting.gaps.has("namespaces.mount_point", "/w") && protecting.gaps.has("seccomp.baseline"));
  HOLDS(protecting.gaps.has("seccomp.set_id") && !protecting.rules.calls.set_id);
}

TEST_CASE("linux: without Landlock, the view enforces file rights") {
  constexpr auto bare = compiled({can_write("/w"), hidden("/w/key")}, {0});
  HOLDS(!bare.gaps.any_unenforced() && !permits(bare.rules, right::read, "/w/key"));
  HOLDS(!permits(bare.rules, right::attributes, "/r"));
}

TEST_CASE("linux: listening sockets in a network namespace are a gap private_network") {
  constexpr auto serving = on_linux::compile(
      [] {
        small p = policy_of<small>({can_listen("8080")});
        p.level = level::network;
        return p;
      }(),
      {});
  HOLDS(serving.rules.calls.network && serving.rules.view.network == namespaces::network_mode::none);
  HOLDS(serving.gaps.has("namespaces.private_network"));
  HOLDS(!compiled({can_connect("example.com")}).rules.calls.network);
}

TEST_CASE("linux: sockets of the run's own are those of a network of its own") {
  constexpr auto own = compiled({can_run("/usr"), can_use_own_sockets()}), none = compiled({can_run("/usr")});
  HOLDS(permits(own.rules, process_feature::own_sockets) && !permits(own.rules, process_feature::loopback) &&
        !permits(own.rules, process_feature::listen) && !permits(own.rules, process_feature::some_host));
  HOLDS(makes(own, 2, 1, 0) && makes(own, 10, 2, 17) && makes(own, 16, 3, 0) && !makes(own, 16, 3, 15));
  HOLDS(!makes(own, 2, 3, 1) && !makes(own, 17, 3, 0) && !makes(own, 40, 1, 0));
  HOLDS(own.rules.calls.connect && own.rules.calls.listen && !own.gaps.any_unenforced());
  HOLDS(!own.gaps.has("seccomp.own") && !own.gaps.has("namespaces.own") && !own.gaps.has("seccomp.network"));
  HOLDS(!permits(none.rules, process_feature::own_sockets) && !makes(none, 2, 1, 0) && !makes(none, 16, 3, 0));
  HOLDS(!none.gaps.has("seccomp.own") && !none.gaps.has("namespaces.own"));
}

TEST_CASE("linux: unix sockets of the run's own need a Landlock that judges names, and are no datagrams") {
  constexpr auto with = [](int abi) { return compiled({can_run("/usr"), can_use_own_sockets()}, {abi}); };
  constexpr auto judged = with(9), older = with(8);
  HOLDS(makes(judged, 1, 1, 0) && makes(judged, 1, 5, 0) && !makes(judged, 1, 2, 0) && !makes(judged, 1, 3, 0));
  HOLDS(judged.gaps.has("seccomp.own_datagrams") && !judged.gaps.has("seccomp.own_unix") &&
        !judged.gaps.has("seccomp.connect"));
  HOLDS(!makes(older, 1, 1, 0) && !makes(older, 1, 5, 0) && !makes(older, 1, 2, 0));
  HOLDS(older.gaps.has("seccomp.own_unix") && !older.gaps.has("seccomp.own_datagrams") &&
        older.gaps.has("seccomp.connect"));
  HOLDS(!permits(with(8).rules, right::connect, "/usr/s") && !permits(judged.rules, right::connect, "/usr/s"));
  constexpr auto granted = compiled({grant("/s", right::connect), can_use_own_sockets()});
  HOLDS(!permits(granted.rules, right::connect, "/s", file_type::socket) && granted.gaps.has("landlock.outside"));
  HOLDS(!judged.gaps.has("landlock.outside") && !with(8).gaps.has("landlock.outside"));
  HOLDS(!compiled({grant("/s", right::connect)}).gaps.has("landlock.outside"));
}

TEST_CASE("linux: a supervisor that connects for the program gives it unix sockets on older kernels") {
  constexpr auto with = [](std::initializer_list<clause> clauses, bool supervised) {
    return compiled(clauses, {7, seccomp::arch::x86_64, {}, supervised});
  };
  constexpr auto made = with({can_run("/usr"), can_use_own_sockets()}, true);
  HOLDS(makes(made, 1, 1, 0) && makes(made, 1, 5, 0) && !makes(made, 1, 2, 0));
  HOLDS(!made.gaps.has("seccomp.own_unix") && made.gaps.has("seccomp.own_datagrams"));
  HOLDS(made.gaps.has("namespaces.connect")); // which the supervisor closes
  constexpr auto granted = with({grant("/s", right::connect), can_use_own_sockets()}, true);
  HOLDS(permits(granted.rules, right::connect, "/s", file_type::socket) && !granted.gaps.any_unenforced());
  HOLDS(with({can_run("/usr"), can_use_own_sockets()}, false).gaps.has("seccomp.own_unix"));
  HOLDS(!makes(with({can_run("/usr")}, true), 1, 1, 0));
  // The supervisor knows the sockets of a network, and the machine's network has those of others.
  HOLDS(!makes(on_linux::compile(
                   [] {
                     small all = policy_of<small>({can_use_own_sockets()});
                     all.level = level::network;
                     if (all.write_any<axis_id::hosts>().code != diagnostic_code::ok) all.level = level::none;
                     return all;
                   }(),
                   on_linux::target{7, seccomp::arch::x86_64, {}, true}),
               1, 1, 0));
}

TEST_CASE("linux: with the machine's network, or without namespaces, own sockets are the gap seccomp.own") {
  constexpr auto reaching = [](bool own) {
    small p = policy_of<small>({can_connect("*"), can_use_own_sockets()});
    small all;
    all.level = level::network;
    if (all.write_any<axis_id::hosts>().code != diagnostic_code::ok) all.level = level::none;
    const auto fill = [&](auto& out) {
      if (own) out.add_all(p.sockets());
    };
    if (all.write<axis_id::sockets>(fill).code != diagnostic_code::ok) all.level = level::none;
    return on_linux::compile(all, on_linux::target{});
  };
  constexpr auto machine = reaching(true);
  HOLDS(machine.gaps.has("seccomp.own") && !permits(machine.rules, process_feature::own_sockets));
  HOLDS(!machine.rules.calls.listen && !makes(machine, 16, 3, 0) && makes(machine, 1, 1, 0) &&
        !makes(machine, 1, 2, 0));
  HOLDS(!reaching(false).gaps.has("seccomp.own") && !makes(reaching(false), 1, 1, 0));
  constexpr small own = policy_of<small>({can_run("/usr"), can_use_own_sockets()});
  constexpr auto alone = seccomp::compile(own, {.set_id = false});
  HOLDS(alone.gaps.has("seccomp.own") && alone.gaps.has("seccomp.connect") && !alone.gaps.has("seccomp.own_unix"));
  constexpr auto listed = compiled({can_connect("example.com"), can_use_own_sockets()});
  HOLDS(listed.gaps.has("seccomp.hosts") && permits(listed.rules, process_feature::own_sockets));
}

TEST_CASE("linux: rules are sound, complete, monotone and deterministic") {
  for (const auto& t : on_linux::backend::targets) {
    CAPTURE(t.name);
    CHECK(proof::backend_fault<on_linux::backend>(t.target, effort(300)) == "");
  }
}

TEST_CASE("linux: the same laws hold if bwrap makes the view") {
  for (const auto& t : on_linux::bwrap_backend::targets) {
    CAPTURE(t.name);
    CHECK(proof::backend_fault<on_linux::bwrap_backend>(t.target, effort(300)) == "");
  }
  constexpr auto read_alone = [](int abi) {
    return on_linux::compile(policy_of<small>({can_read("/data")}), on_linux::basic_target<on_linux::bwrap_view>{abi});
  };
  // Landlock denies execution that a bind mount without noexec would allow.
  HOLDS(read_alone(0).gaps.has("bubblewrap.run", "/data"));
  HOLDS(!read_alone(1).gaps.has("bubblewrap.run", "/data"));
  // But not beneath the view's own /tmp: its rule covers the mounts in it.
  constexpr auto runs = [](const auto& p) {
    return on_linux::compile(p, on_linux::basic_target<on_linux::bwrap_view>{7})
        .gaps.has("bubblewrap.run", "/tmp/data");
  };
  HOLDS(runs(policy_of<small>({can_read("/tmp/data")})));
}

TEST_CASE("linux: without namespaces, access to any host is a gap host_loopback") {
  constexpr auto told = [](const auto& p) {
    const seccomp::target t{.set_id = false};
    return on_linux::gaps_without_view(landlock::compile(p, {7}).gaps, seccomp::compile(p, t).gaps, p,
                                       seccomp::filter_spec_of(p, t))
        .has("network.host_loopback", "");
  };
  constexpr auto reaching_all = [](bool loopback) {
    small p;
    p.level = level::network;
    if (p.write_any<axis_id::hosts>().code != diagnostic_code::ok) p.level = level::none;
    const auto own = [&](auto& out) {
      if (loopback) out.add({sockets::loopback, 1, {}});
    };
    if (p.write<axis_id::sockets>(own).code != diagnostic_code::ok) p.level = level::none;
    return p;
  };
  HOLDS(told(reaching_all(false)));
  HOLDS(!told(reaching_all(true)));
  HOLDS(!told(policy_of<small>({can_connect("*")}))); // it reaches no host at all
}

TEST_CASE("linux: plans of sample policies") {
  for (const samples::sample& s : samples::all) {
    std::string text;
    for (const on_linux::target& t : {on_linux::target{}, on_linux::target{0}}) {
      const auto made = on_linux::compile(s.policy, t);
      text += proof::text_of(made.rules) + proof::gap_lines(made.gaps) + "\n";
    }
    CHECK(golden::matches("linux/" + std::string(s.name) + ".txt", text));
  }
}

} // namespace backend_linux_test
