// SPDX-License-Identifier: BSL-1.0
#include "../holds.hpp"

#include <cordon.hpp>
#include <cordon/query/query.hpp>

namespace query_query_test {

using namespace cordon;
using namespace cordon::dsl;

namespace {

using small = basic_policy<fixed_storage<40, 1024>>;

constexpr bool is(const verdict& v, ruling a, axis x, std::string_view clause) {
  return v.ruling == a && v.axis == x && v.clause.place == clause && v.allowed() == (a == ruling::allow);
}

constexpr small p = [] {
  small q;
  q.level = level::process_exec;
  q.abilities = ability::clock;
  (void)q.write<axis_id::capabilities>([](auto& out) {
    for (const auto c : {capability::read_text, capability::write_text, capability::exec}) out.add({c, 1, {}});
  });
  const auto grants = [](auto& out) {
    out.add({"/srv", verb::write.bits(), {}}), out.add({"/srv/.git", verb::read.bits(), {}});
    out.add({"/srv/key", 0, {}});
  };
  (void)q.write<axis_id::workspace>(grants);
  (void)q.write<axis_id::files>(grants);
  (void)q.write<axis_id::environment>([](auto& out) {
    out.add({"LC_*", variable::passes, {}}), out.add({"LC_X", variable::absent, {}});
    out.add({"A", variable::set(1), "1"});
  });
  return q;
}();

/// p with another level, or with any capability.
template <level L>
constexpr small at = [] {
  small q = p;
  q.level = L;
  return q;
}();
constexpr small any = unconfined<small>(widening::all_axes{});

} // namespace

TEST_CASE("query: each ruling has its name") {
  HOLDS(name(ruling::allow) == "allow");
  HOLDS(name(ruling::refuse) == "refuse");
  HOLDS(name(ruling::malformed) == "malformed");
}

TEST_CASE("query: the most specific covering grant decides for a process") {
  HOLDS(is(process_may(p, right::write, "/srv/a"), ruling::allow, axis::files, "/srv"));
  HOLDS(is(process_may(p, right::write, "/srv/.git/a"), ruling::refuse, axis::files, "/srv/.git"));
  HOLDS(is(process_may(p, right::read, "/srv/key"), ruling::refuse, axis::files, "/srv/key"));
  HOLDS(is(process_may(p, right::connect, "/srv/a"), ruling::refuse, axis::files, "/srv"));
  HOLDS(is(process_may(p, right::read, "/etc"), ruling::refuse, axis::files, ""));
  HOLDS(is(process_may(any, right::connect, "/etc"), ruling::allow, axis::files, ""));
  HOLDS(process_may(p, right::read, "/srv/.git").clause.value == verb::read.bits());
}

TEST_CASE("query: a path that is not normal is malformed, before any other check") {
  HOLDS(is(process_may(at<level::none>, right::read, "srv"), ruling::malformed, axis::files, ""));
  HOLDS(is(process_may(p, right::read, ""), ruling::malformed, axis::files, ""));
  HOLDS(is(process_may(p, right::read, "/srv/../etc"), ruling::malformed, axis::files, ""));
  HOLDS(is(host_tool_may(at<level::none>, right::run, "/srv/"), ruling::malformed, axis::workspace, ""));
}

TEST_CASE("query: a process needs its level and its capability before its path") {
  HOLDS(is(process_may(at<level::workspace_write>, right::read, "/srv/a"), ruling::refuse, axis::level,
           "workspace_write"));
  HOLDS(is(process_may(at<level::network>, right::read, "/srv/a"), ruling::allow, axis::files, "/srv"));
  constexpr small no_exec = [] {
    small q;
    q.level = level::process_exec;
    (void)q.write_any<axis_id::files>();
    return q;
  }();
  HOLDS(is(process_may(no_exec, right::read, "/srv/a"), ruling::refuse, axis::capabilities, capability::exec));
}

TEST_CASE("query: every process may use the standard devices, within their rights") {
  HOLDS(is(process_may(p, right::write, "/dev/null"), ruling::allow, axis::files, ""));
  HOLDS(is(process_may(p, right::read, "/dev/urandom"), ruling::allow, axis::files, ""));
  HOLDS(is(process_may(p, right::read, "/dev/zero"), ruling::allow, axis::files, ""));
  HOLDS(is(process_may(p, right::write, "/dev/random"), ruling::refuse, axis::files, ""));
  HOLDS(is(process_may(p, right::remove, "/dev/null"), ruling::refuse, axis::files, ""));
  HOLDS(is(process_may(p, right::read, "/dev/null/a"), ruling::refuse, axis::files, ""));
  HOLDS(is(process_may(p, right::list, "/dev"), ruling::refuse, axis::files, ""));
  HOLDS(is(process_may(at<level::none>, right::write, "/dev/null"), ruling::refuse, axis::level, "none"));
  HOLDS(is(host_tool_may(p, right::read, "/dev/null"), ruling::refuse, axis::workspace, ""));
}

TEST_CASE("query: each operation of a host tool needs its level and its capability") {
  HOLDS(is(host_tool_may(p, right::read, "/srv/a"), ruling::allow, axis::workspace, "/srv"));
  HOLDS(is(host_tool_may(p, right::list, "/srv"), ruling::refuse, axis::capabilities, capability::list));
  HOLDS(is(host_tool_may(p, right::write, "/srv/a"), ruling::allow, axis::workspace, "/srv"));
  HOLDS(is(host_tool_may(p, right::create, "/srv/a"), ruling::allow, axis::workspace, "/srv"));
  HOLDS(is(host_tool_may(p, right::attributes, "/srv/a"), ruling::allow, axis::workspace, "/srv"));
  HOLDS(is(host_tool_may(p, right::remove, "/srv/a"), ruling::refuse, axis::capabilities, capability::remove));
  HOLDS(is(host_tool_may(p, right::write, "/srv/.git"), ruling::refuse, axis::workspace, "/srv/.git"));
  HOLDS(is(host_tool_may(at<level::read_only>, right::read, "/srv/a"), ruling::allow, axis::workspace, "/srv"));
  HOLDS(is(host_tool_may(at<level::none>, right::read, "/srv/a"), ruling::refuse, axis::level, "none"));
  HOLDS(is(host_tool_may(at<level::read_only>, right::write, "/srv/a"), ruling::refuse, axis::level, "read_only"));
  HOLDS(is(host_tool_may(at<level::read_only>, right::create, "/srv/a"), ruling::refuse, axis::level, "read_only"));
  HOLDS(is(host_tool_may(at<level::read_only>, right::attributes, "/srv/a"), ruling::refuse, axis::level, "read_only"));
  HOLDS(is(host_tool_may(at<level::read_only>, right::remove, "/srv/a"), ruling::refuse, axis::level, "read_only"));
  HOLDS(is(host_tool_may(at<level::workspace_write>, right::write, "/srv/a"), ruling::allow, axis::workspace, "/srv"));
  HOLDS(is(host_tool_may(any, right::remove, "/x"), ruling::allow, axis::workspace, ""));
}

TEST_CASE("query: host tools may not run programs or connect") {
  HOLDS(is(host_tool_may(any, right::run, "/srv"), ruling::refuse, axis::workspace, ""));
  HOLDS(is(host_tool_may(any, right::connect, "/srv"), ruling::refuse, axis::workspace, ""));
  HOLDS(is(host_tool_may(p, right::run, "/srv/a"), ruling::refuse, axis::workspace, "/srv"));
}

TEST_CASE("query: capabilities") {
  HOLDS(is(has_capability(p, capability::exec), ruling::allow, axis::capabilities, capability::exec));
  HOLDS(is(has_capability(p, capability::list), ruling::refuse, axis::capabilities, ""));
  HOLDS(is(has_capability(p, "workspace.all"), ruling::malformed, axis::capabilities, ""));
  HOLDS(is(has_capability(any, "mail.send"), ruling::allow, axis::capabilities, ""));
}

TEST_CASE("query: abilities") {
  HOLDS(is(has_ability(p, "clock"), ruling::allow, axis::abilities, "clock"));
  HOLDS(is(has_ability(p, "trace"), ruling::refuse, axis::abilities, ""));
  HOLDS(is(has_ability(p, "ptrace"), ruling::malformed, axis::abilities, ""));
  HOLDS(is(has_ability(any, "reboot"), ruling::allow, axis::abilities, ""));
}

TEST_CASE("query: ports") {
  constexpr auto with = [](level l, host::port_range ports) {
    small q = p;
    q.level = l;
    (void)q.write<axis_id::sockets>([&](auto& out) {
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
  HOLDS(allows_port(with(level::network, {}), 1));
  HOLDS(!allows_port(with(level::network, {}), 0)); // where the system takes a port of its own choice
  HOLDS(!allows_port(at<level::network>, 80));
  HOLDS(allows_port(unconfined<small>(widening::all_axes{}), 0));
  HOLDS(allows_port(unconfined<small>(widening::all_axes{}), 80));
}

TEST_CASE("query: variables") {
  HOLDS(is(has_variable(p, "LC_ALL"), ruling::allow, axis::environment, "LC_*"));
  HOLDS(is(has_variable(p, "LC_X"), ruling::refuse, axis::environment, "LC_X"));
  HOLDS(is(has_variable(p, "A"), ruling::allow, axis::environment, "A"));
  HOLDS(has_variable(p, "A").clause.payload == "1");
  HOLDS(is(has_variable(p, "HOME"), ruling::refuse, axis::environment, ""));
  HOLDS(is(has_variable(p, "A=1"), ruling::malformed, axis::environment, ""));
  HOLDS(is(has_variable(any, "HOME"), ruling::allow, axis::environment, ""));
}

} // namespace query_query_test
