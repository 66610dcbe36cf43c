// SPDX-License-Identifier: BSL-1.0
#include "effort.hpp"
#include "golden.hpp"
#include "holds.hpp"
#include "proof.hpp"

#include <cordon/backend/linux.hpp>

using namespace cordon;
using namespace cordon::dsl;

namespace {

using small = basic_policy<fixed<64, 1024>>;
using plan_of = plan<on_linux::rules<fixed<64, 1024>>>;

constexpr plan_of compiled(std::initializer_list<clause> clauses, on_linux::target t = {}) {
  const small p = policy_of<small>(clauses);
  return on_linux::compile(p, t);
}

constexpr auto protecting = compiled({can_write("/w"), can_read("/w/.git"), hidden("/w/key"), can_use(ability::spawn)});

} // namespace

TEST_CASE("linux: what has less inside a grant is left to the view, and what is granted stays as it is") {
  HOLDS(permits(protecting.rules, right::create, "/w/new") && permits(protecting.rules, right::read, "/w/.git/config"));
  HOLDS(!permits(protecting.rules, right::write, "/w/.git/config") &&
        !permits(protecting.rules, right::read, "/w/key"));
  HOLDS(protecting.rules.files.siblings.size() == 0);
  HOLDS(!protecting.gaps.any_unenforced());
}

TEST_CASE("linux: a gap of one member that another one closes is none") {
  HOLDS(!protecting.gaps.has("namespaces.connect") && !protecting.gaps.has("landlock.attributes"));
  HOLDS(!protecting.gaps.has("landlock.shared_memory") && !protecting.gaps.has("tree.daemons"));
  HOLDS(!compiled({can_read("/r")}).gaps.has("namespaces.spawn"));
  HOLDS(protecting.gaps.has("namespaces.mount_point", "/w") && protecting.gaps.has("seccomp.baseline"));
  HOLDS(protecting.gaps.has("seccomp.set_id") && !protecting.rules.calls.set_id);
}

TEST_CASE("linux: without Landlock the view keeps files apart") {
  constexpr auto bare = compiled({can_write("/w"), hidden("/w/key")}, {0});
  HOLDS(!bare.gaps.any_unenforced() && !permits(bare.rules, right::read, "/w/key"));
  HOLDS(!permits(bare.rules, right::attributes, "/r"));
}

TEST_CASE("linux: sockets inside a network of the run's own reach nobody else") {
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

TEST_CASE("linux: sound, complete, monotone, deterministic") {
  for (const auto& t : on_linux::backend::targets) {
    CAPTURE(t.name);
    CHECK(proof::backend_fault<on_linux::backend>(t.target, effort(300)) == "");
  }
}

TEST_CASE("linux: the same where bwrap makes the view") {
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

TEST_CASE("linux: without namespaces the network that reaches any host is the machine's") {
  constexpr auto told = [](const auto& p) {
    const seccomp::target t{.set_id = false};
    return on_linux::gaps(landlock::compile(p, {7}).gaps, p, seccomp::filter_spec_of(p, t))
        .has("network.host_loopback", "");
  };
  constexpr auto reaching_all = [](bool loopback) {
    small p;
    p.level = level::network;
    if (p.write_any<axis_id::hosts>().code != errc::ok) p.level = level::none;
    const auto own = [&](auto& out) {
      if (loopback) out.add({sockets::loopback, 1, {}});
    };
    if (p.write<axis_id::sockets>(own).code != errc::ok) p.level = level::none;
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
