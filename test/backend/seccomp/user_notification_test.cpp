// SPDX-License-Identifier: BSL-1.0
/// Watched filters, compared with the plain ones that they are made of.
#include "cordon/backend/seccomp/compile.hpp"
#include "cordon/backend/seccomp/user_notification.hpp"

#include "chance.hpp"
#include "holds.hpp"

namespace seccomp_user_notification_test {

using namespace cordon::seccomp;

namespace {

constexpr filter_spec plain_demand{.spawn = true};

constexpr filter_action watched_answer(const filter_spec& d, std::string_view call, std::uint64_t first = 0) {
  const program made = compile(d), asks = with_user_notification(made.code());
  return evaluate(asks.code(), {.nr = number_of(d.cpu, call), .arch = audit_arch(d.cpu), .args = {first}});
}

constexpr filter_spec without(filter_spec d, std::string_view denied) {
  if (const int number = number_of(d.cpu, denied); number >= 0) d.denied.insert(static_cast<std::uint32_t>(number));
  return d;
}

constexpr bool starts(const filter_spec& d, std::string_view denied) {
  return lets_start(compile(without(d, denied)).code(), d.cpu);
}

constexpr bool begins(const filter_spec& d) { return lets_begin(compile(d).code(), d.cpu); }

} // namespace

TEST_CASE("seccomp user_notification: denied calls notify the supervisor, other calls do not") {
  HOLDS(watched_answer(plain_demand, "mount") == notify);
  HOLDS(watched_answer(plain_demand, "unshare", 0x10000000) == notify);
  HOLDS(watched_answer(plain_demand, "unshare", 0x400) == pass);
  HOLDS(watched_answer(plain_demand, "read") == pass);
  HOLDS(watched_answer(plain_demand, "clone3") == no_such_call);
}

TEST_CASE("seccomp user_notification: random filters notify for denied calls alone") {
  chance random{23};
  for (int round = 0; round < 200; ++round) {
    const filter_spec d = random.some_demand();
    const program made = compile(d), asks = with_user_notification(made.code());
    REQUIRE(valid(asks.code()));
    REQUIRE(asks.size() == made.size());
    for (int call = 0; call < 500; ++call) {
      const data input = random.some_call(d.cpu);
      const filter_action plain = evaluate(made.code(), input), asked = evaluate(asks.code(), input);
      if (asked != (plain == not_permitted ? notify : plain)) CHECK(asked.encoded() == plain.encoded());
    }
  }
}

TEST_CASE("seccomp user_notification: a program needs execve or execveat to begin") {
  HOLDS(begins(plain_demand) && begins({.strict = true, .spawn = true}) && begins({.spawn = false}));
  HOLDS(begins(without(plain_demand, "execve")) && begins(without(plain_demand, "execveat")));
  HOLDS(!begins(without(without(plain_demand, "execve"), "execveat")));
}

TEST_CASE("seccomp user_notification: a launch is impossible if it needs a call that notifies") {
  HOLDS(starts(plain_demand, "mount"));
  HOLDS(starts({.strict = true, .spawn = true}, "mount"));
  HOLDS(!starts(plain_demand, "sendmsg"));
  HOLDS(!starts(plain_demand, "execve"));
  HOLDS(!starts(plain_demand, "execveat"));
  HOLDS(!starts(plain_demand, "statx"));
  HOLDS(!starts(plain_demand, "exit_group"));
}

} // namespace seccomp_user_notification_test
