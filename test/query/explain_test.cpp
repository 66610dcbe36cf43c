// SPDX-License-Identifier: BSL-1.0
#include "../holds.hpp"

#include <cordon.hpp>
#include <cordon/notation/literals.hpp>
#include <cordon/query/explain.hpp>

#include <initializer_list>
#include <string>

namespace query_explain_test {

using namespace cordon;

namespace {

constexpr policy any = unconfined(widening::all_axes{});
constexpr policy offline = policy_of({dsl::can_read("/srv")});
constexpr policy no_hosts = widen(offline, widening::level{}, level::network);

constexpr bool is(const verdict& v, ruling a, axis x) { return v.ruling == a && v.axis == x; }

constexpr verdict may_run(const policy& p, std::initializer_list<std::string_view> argv) {
  return may_execute(p, std::span<const std::string_view>(argv.begin(), argv.size()));
}

} // namespace

TEST_CASE("explain: a host must be well-formed, and needs the level and the axis") {
  HOLDS(is(may_reach(any, "example.com"), ruling::allow, axis::hosts));
  HOLDS(is(may_reach(any, "10.0.0.1:80"), ruling::allow, axis::hosts));
  HOLDS(is(may_reach(any, "[::1]:80"), ruling::allow, axis::hosts));
  HOLDS(is(may_reach(offline, "example.com"), ruling::refuse, axis::level));
  HOLDS(is(may_reach(no_hosts, "example.com"), ruling::refuse, axis::hosts));
  for (const char* host : {"", ".", "a..b", ".a", "a b", "u@a", "a%41", "a:", "a:x", "a:123456", "a/b", "[::1"})
    for (const policy* p : {&any, &offline}) {
      CAPTURE(host);
      CHECK(is(may_reach(*p, host), ruling::malformed, axis::hosts));
    }
  CHECK(may_reach(any, std::string_view("a\0b", 3)).ruling == ruling::malformed);
  std::string longest = "a";
  while (longest.size() < 253) longest += ".a";
  CHECK(may_reach(any, longest).ruling == ruling::allow);
  CHECK(may_reach(any, longest + "a").ruling == ruling::malformed);
  HOLDS(may_reach(any, "example.com.").ruling == ruling::allow);
}

TEST_CASE("explain: the verdict has the deciding pattern, with ! if it denies") {
  constexpr policy some = "connect example.com:443 *.org\nrefuse gist.example.com\n"_policy;
  HOLDS(may_reach(some, "api.example.com").pattern.view() == "example.com:443");
  HOLDS(is(may_reach(some, "api.example.com"), ruling::allow, axis::hosts));
  HOLDS(may_reach(some, "GIST.example.com.").pattern.view() == "!gist.example.com");
  HOLDS(is(may_reach(some, "gist.example.com"), ruling::refuse, axis::hosts));
  HOLDS(is(may_reach(some, "example.com:80"), ruling::refuse, axis::hosts));
  HOLDS(may_reach(some, "example.com:80").pattern.empty());
  HOLDS(is(may_fetch(some, "http://a.org/"), ruling::allow, axis::hosts));
  HOLDS(may_reach(any, "a.org").pattern.empty());
}

TEST_CASE("explain: only http and https are fetched") {
  HOLDS(is(may_fetch(any, "https://example.com/a?b#c"), ruling::allow, axis::hosts));
  HOLDS(is(may_fetch(any, "http://example.com:8080"), ruling::allow, axis::hosts));
  HOLDS(is(may_fetch(any, "ftp://example.com/"), ruling::refuse, axis::hosts));
  HOLDS(is(may_fetch(any, "example.com"), ruling::malformed, axis::hosts));
  HOLDS(is(may_fetch(any, "://example.com"), ruling::malformed, axis::hosts));
  HOLDS(is(may_fetch(any, "https://"), ruling::malformed, axis::hosts));
  HOLDS(is(may_fetch(any, "https://u@example.com/"), ruling::malformed, axis::hosts));
  HOLDS(is(may_fetch(offline, "https://example.com/"), ruling::refuse, axis::level));
}

TEST_CASE("explain: a call is refused if every use of it is, by the level or by the filter") {
  CHECK(is(may_call(any, "read"), ruling::allow, axis::syscalls));
  CHECK(is(may_call(any, "socket"), ruling::allow, axis::syscalls));
  CHECK(is(may_call(offline, "connect"), ruling::refuse, axis::level));
  CHECK(is(may_call(any, "io_uring_setup"), ruling::refuse, axis::syscalls));
  CHECK(is(may_call(offline, "ptrace"), ruling::refuse, axis::syscalls));
  CHECK(is(may_call(any, "no_such_call"), ruling::malformed, axis::syscalls));
}

TEST_CASE("explain: calls of sockets of the run's own need the level of programs") {
  constexpr policy own = "level process_exec\nsockets own\nnetwork none"_policy,
                   low = "level workspace_write\nsockets own\nnetwork none"_policy,
                   closed = "level process_exec\nsockets none\nnetwork none"_policy;
  for (const char* call : {"socket", "connect", "bind", "listen", "accept", "accept4"}) {
    CAPTURE(call);
    CHECK(is(may_call(own, call), ruling::allow, axis::syscalls));
    CHECK(is(may_call(low, call), ruling::refuse, axis::level));
    CHECK(is(may_call(closed, call), ruling::refuse, axis::level));
  }
  CHECK(is(may_call("level process_exec\nsockets own\ndeny bind"_policy, "bind"), ruling::refuse, axis::syscalls));
}

TEST_CASE("explain: a denied call has the clause that denies it") {
  constexpr policy denies = "deny chmod ptrace"_policy;
  HOLDS(is(may_call(denies, "chmod"), ruling::refuse, axis::syscalls));
  HOLDS(may_call(denies, "chmod").clause.place == "chmod");
  HOLDS(may_call(denies, "ptrace").clause.place == "ptrace");
  HOLDS(is(may_call(denies, "fchmod"), ruling::allow, axis::syscalls));
}

TEST_CASE("explain: an ability and the calls that it allows have one verdict") {
  const auto with = [](abilities some) {
    policy p = any;
    p.abilities = some;
    return p;
  };
  int calls = 0;
  for (std::size_t i = 0; i < ability_names.size(); ++i)
    for (const abilities some : {abilities(), abilities(static_cast<ability>(i)), abilities::any()}) {
      const policy p = with(some);
      for (std::uint32_t n = 0; n < seccomp::number_set::limit; ++n) {
        const abilities by = seccomp::lifting(seccomp::class_of(seccomp::arch::x86_64, n));
        const std::string_view call = seccomp::name_of(seccomp::arch::x86_64, n);
        if (by != abilities(static_cast<ability>(i)) || call == "unshare")
          continue; // some of its uses are always allowed
        CAPTURE(std::string(call));
        CHECK(may_call(p, call).allowed() == has_ability(p, ability_names[i]).allowed());
        ++calls;
      }
      if (i == 0) CHECK(may_call(p, "fork").allowed() == some.has(ability::spawn));
    }
  CHECK(calls > 100);
}

TEST_CASE("explain: a command line needs the level and the guard") {
  HOLDS(is(may_run(any, {"git", "status"}), ruling::allow, axis::guard));
  HOLDS(is(may_run(any, {}), ruling::malformed, axis::guard));
  HOLDS(is(may_run(any, {""}), ruling::malformed, axis::guard));
  constexpr policy no_processes = [] {
    policy p = any;
    p.level = level::workspace_write;
    return p;
  }();
  HOLDS(is(may_run(no_processes, {"git"}), ruling::refuse, axis::level));
  constexpr policy no_interpreters = [] {
    policy p = any;
    p.interpreters = false;
    return p;
  }();
  HOLDS(is(may_run(no_interpreters, {"/bin/bash"}), ruling::refuse, axis::guard));
  HOLDS(is(may_run(no_interpreters, {"git"}), ruling::allow, axis::guard));
}

} // namespace query_explain_test
