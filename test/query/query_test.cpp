// SPDX-License-Identifier: BSL-1.0
#include "../holds.hpp"

#include <cordon.hpp>
#include <cordon/query/query.hpp>

using namespace cordon;
using namespace cordon::dsl;

namespace {

using small = basic_policy<fixed<40, 1024>>;

constexpr bool is(const verdict& v, answer a, axis x, std::string_view clause) {
  return v.answer == a && v.axis == x && v.clause.place == clause && v.allowed() == (a == answer::allow);
}

constexpr small p = [] {
  small q;
  q.level = level::process_exec;
  q.abilities = ability::clock;
  q.write<part::capabilities>([](auto& out) {
    for (const auto c : {capability::read_text, capability::write_text, capability::exec}) out.add({c, 1, {}});
  });
  const auto grants = [](auto& out) {
    out.add({"/srv", verb::write.bits(), {}}), out.add({"/srv/.git", verb::read.bits(), {}});
    out.add({"/srv/key", 0, {}});
  };
  q.write<part::workspace>(grants);
  q.write<part::files>(grants);
  q.write<part::environment>([](auto& out) {
    out.add({"LC_*", variable::passes, {}}), out.add({"LC_X", variable::absent, {}});
    out.add({"A", variable::set(1), "1"});
  });
  return q;
}();

/// p with another level, or with any capability.
constexpr small at(level l) {
  small q = p;
  q.level = l;
  return q;
}
constexpr small any = unconfined<small>(widening::all_axes{});

} // namespace

TEST_CASE("question: names of the answers") {
  HOLDS(name(answer::allow) == "allow");
  HOLDS(name(answer::refuse) == "refuse");
  HOLDS(name(answer::malformed) == "malformed");
}

TEST_CASE("question: the grant that covers the place most closely decides for a process") {
  HOLDS(is(may_process(p, right::write, "/srv/a"), answer::allow, axis::files, "/srv"));
  HOLDS(is(may_process(p, right::write, "/srv/.git/a"), answer::refuse, axis::files, "/srv/.git"));
  HOLDS(is(may_process(p, right::read, "/srv/key"), answer::refuse, axis::files, "/srv/key"));
  HOLDS(is(may_process(p, right::connect, "/srv/a"), answer::refuse, axis::files, "/srv"));
  HOLDS(is(may_process(p, right::read, "/etc"), answer::refuse, axis::files, ""));
  HOLDS(is(may_process(any, right::connect, "/etc"), answer::allow, axis::files, ""));
  HOLDS(may_process(p, right::read, "/srv/.git").clause.value == verb::read.bits());
}

TEST_CASE("question: a path that is not normal is malformed first of all") {
  HOLDS(is(may_process(at(level::none), right::read, "srv"), answer::malformed, axis::files, ""));
  HOLDS(is(may_process(p, right::read, ""), answer::malformed, axis::files, ""));
  HOLDS(is(may_process(p, right::read, "/srv/../etc"), answer::malformed, axis::files, ""));
  HOLDS(is(may_host(at(level::none), right::run, "/srv/"), answer::malformed, axis::workspace, ""));
}

TEST_CASE("question: a process needs its level and its capability before its place") {
  HOLDS(is(may_process(at(level::workspace_write), right::read, "/srv/a"), answer::refuse, axis::level,
           "workspace_write"));
  HOLDS(is(may_process(at(level::network), right::read, "/srv/a"), answer::allow, axis::files, "/srv"));
  constexpr small no_exec = [] {
    small q;
    q.level = level::process_exec;
    q.write_any<part::files>();
    return q;
  }();
  HOLDS(is(may_process(no_exec, right::read, "/srv/a"), answer::refuse, axis::capabilities, capability::exec));
}

TEST_CASE("question: devices are open to every process, and to no more than that") {
  HOLDS(is(may_process(p, right::write, "/dev/null"), answer::allow, axis::files, ""));
  HOLDS(is(may_process(p, right::read, "/dev/urandom"), answer::allow, axis::files, ""));
  HOLDS(is(may_process(p, right::read, "/dev/zero"), answer::allow, axis::files, ""));
  HOLDS(is(may_process(p, right::write, "/dev/random"), answer::refuse, axis::files, ""));
  HOLDS(is(may_process(p, right::remove, "/dev/null"), answer::refuse, axis::files, ""));
  HOLDS(is(may_process(p, right::read, "/dev/null/a"), answer::refuse, axis::files, ""));
  HOLDS(is(may_process(p, right::list, "/dev"), answer::refuse, axis::files, ""));
  HOLDS(is(may_process(at(level::none), right::write, "/dev/null"), answer::refuse, axis::level, "none"));
  HOLDS(is(may_host(p, right::read, "/dev/null"), answer::refuse, axis::workspace, ""));
}

TEST_CASE("question: each act of a host tool needs its level and its capability") {
  HOLDS(is(may_host(p, right::read, "/srv/a"), answer::allow, axis::workspace, "/srv"));
  HOLDS(is(may_host(p, right::list, "/srv"), answer::refuse, axis::capabilities, capability::list));
  HOLDS(is(may_host(p, right::write, "/srv/a"), answer::allow, axis::workspace, "/srv"));
  HOLDS(is(may_host(p, right::create, "/srv/a"), answer::allow, axis::workspace, "/srv"));
  HOLDS(is(may_host(p, right::attributes, "/srv/a"), answer::allow, axis::workspace, "/srv"));
  HOLDS(is(may_host(p, right::remove, "/srv/a"), answer::refuse, axis::capabilities, capability::remove));
  HOLDS(is(may_host(p, right::write, "/srv/.git"), answer::refuse, axis::workspace, "/srv/.git"));
  HOLDS(is(may_host(at(level::read_only), right::read, "/srv/a"), answer::allow, axis::workspace, "/srv"));
  HOLDS(is(may_host(at(level::none), right::read, "/srv/a"), answer::refuse, axis::level, "none"));
  HOLDS(is(may_host(at(level::read_only), right::write, "/srv/a"), answer::refuse, axis::level, "read_only"));
  HOLDS(is(may_host(at(level::read_only), right::create, "/srv/a"), answer::refuse, axis::level, "read_only"));
  HOLDS(is(may_host(at(level::read_only), right::attributes, "/srv/a"), answer::refuse, axis::level, "read_only"));
  HOLDS(is(may_host(at(level::read_only), right::remove, "/srv/a"), answer::refuse, axis::level, "read_only"));
  HOLDS(is(may_host(at(level::workspace_write), right::write, "/srv/a"), answer::allow, axis::workspace, "/srv"));
  HOLDS(is(may_host(any, right::remove, "/x"), answer::allow, axis::workspace, ""));
}

TEST_CASE("question: no host tool runs or connects") {
  HOLDS(is(may_host(any, right::run, "/srv"), answer::refuse, axis::workspace, ""));
  HOLDS(is(may_host(any, right::connect, "/srv"), answer::refuse, axis::workspace, ""));
  HOLDS(is(may_host(p, right::run, "/srv/a"), answer::refuse, axis::workspace, "/srv"));
}

TEST_CASE("question: capabilities") {
  HOLDS(is(has_capability(p, capability::exec), answer::allow, axis::capabilities, capability::exec));
  HOLDS(is(has_capability(p, capability::list), answer::refuse, axis::capabilities, ""));
  HOLDS(is(has_capability(p, "workspace.all"), answer::malformed, axis::capabilities, ""));
  HOLDS(is(has_capability(any, "mail.send"), answer::allow, axis::capabilities, ""));
}

TEST_CASE("question: abilities") {
  HOLDS(is(has_ability(p, "clock"), answer::allow, axis::abilities, "clock"));
  HOLDS(is(has_ability(p, "trace"), answer::refuse, axis::abilities, ""));
  HOLDS(is(has_ability(p, "ptrace"), answer::malformed, axis::abilities, ""));
  HOLDS(is(has_ability(any, "reboot"), answer::allow, axis::abilities, ""));
}

TEST_CASE("question: ports") {
  constexpr auto with = [](level l, host::port_range ports) {
    small q = p;
    q.level = l;
    q.write<part::sockets>([&](auto& out) {
      host::port_set all;
      all.add(ports);
      sockets::add_listening(all, out);
    });
    return q;
  };
  HOLDS(allows_port(with(level::network, {80, 81}), 80));
  HOLDS(allows_port(with(level::network, {80, 81}), 81));
  HOLDS(!allows_port(with(level::network, {80, 81}), 82));
  HOLDS(!allows_port(with(level::network, {80, 81}), 79));
  HOLDS(!allows_port(with(level::network, {80, 81}), 0));
  HOLDS(!allows_port(with(level::process_exec, {80, 81}), 80));
  HOLDS(!allows_port(at(level::network), 80));
  HOLDS(allows_port(unconfined<small>(widening::all_axes{}), 0));
  HOLDS(allows_port(unconfined<small>(widening::all_axes{}), 80));
}

TEST_CASE("question: variables") {
  HOLDS(is(has_variable(p, "LC_ALL"), answer::allow, axis::environment, "LC_*"));
  HOLDS(is(has_variable(p, "LC_X"), answer::refuse, axis::environment, "LC_X"));
  HOLDS(is(has_variable(p, "A"), answer::allow, axis::environment, "A"));
  HOLDS(has_variable(p, "A").clause.payload == "1");
  HOLDS(is(has_variable(p, "HOME"), answer::refuse, axis::environment, ""));
  HOLDS(is(has_variable(p, "A=1"), answer::malformed, axis::environment, ""));
  HOLDS(is(has_variable(any, "HOME"), answer::allow, axis::environment, ""));
}
