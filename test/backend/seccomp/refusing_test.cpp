// SPDX-License-Identifier: BSL-1.0
/// Filters that refuse one more call, compared with the plain ones that they are made of.
#include "cordon/backend/seccomp/compile.hpp"
#include "cordon/backend/seccomp/refusing.hpp"
#include "cordon/backend/seccomp/user_notification.hpp"

#include "chance.hpp"
#include "holds.hpp"

namespace seccomp_refusing_test {

using namespace cordon::seccomp;

namespace {

constexpr filter_action answer(arch cpu, std::string_view call, arch from) {
  const program made = compile(filter_spec{.cpu = cpu, .network = true, .connect = true});
  return evaluate(refusing(made.code(), cpu, "connect").code(), {.nr = number_of(cpu, call), .arch = audit_arch(from)});
}

} // namespace

TEST_CASE("seccomp refusing: the call fails on every machine, its neighbours pass") {
  for (const arch cpu : {arch::x86_64, arch::aarch64, arch::riscv64}) {
    CHECK(answer(cpu, "connect", cpu) == not_permitted);
    CHECK(answer(cpu, "accept4", cpu) == pass);
    CHECK(answer(cpu, "bind", cpu) == pass);
  }
  HOLDS(answer(arch::x86_64, "connect", arch::x86_64) == not_permitted);
  HOLDS(answer(arch::x86_64, "connect", arch::aarch64) == kill_process);
}

TEST_CASE("seccomp refusing: random filters change for that call alone") {
  chance random{31};
  for (int round = 0; round < 200; ++round) {
    const filter_spec d = random.some_demand();
    const program plain = compile(d), made = refusing(plain.code(), d.cpu, "connect");
    REQUIRE(valid(made.code()));
    REQUIRE(valid(with_user_notification(made.code()).code()));
    for (int call = 0; call < 500; ++call) {
      const data input = random.some_call(d.cpu);
      const bool is_it = input.arch == audit_arch(d.cpu) && input.nr == number_of(d.cpu, "connect");
      REQUIRE(evaluate(made.code(), input) == (is_it ? not_permitted : evaluate(plain.code(), input)));
    }
  }
}

} // namespace seccomp_refusing_test
