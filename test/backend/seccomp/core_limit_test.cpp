// SPDX-License-Identifier: BSL-1.0
/// Filters that keep the limit of core files, compared with the plain ones that they are made of.
#include "cordon/backend/seccomp/compile.hpp"
#include "cordon/backend/seccomp/core_limit.hpp"
#include "cordon/backend/seccomp/user_notification.hpp"

#include "chance.hpp"
#include "holds.hpp"

namespace seccomp_core_limit_test {

using namespace cordon::seccomp;

namespace {

constexpr std::uint64_t somewhere = 0x7FFF'0000'0000, low_half = 0x1000;

constexpr filter_action kept(arch cpu, std::string_view call, std::array<std::uint64_t, 6> arguments) {
  const program made = compile(filter_spec{.cpu = cpu, .pid_namespace = true});
  return evaluate(keeping_core_limit(made.code(), cpu).code(),
                  {.nr = number_of(cpu, call), .arch = audit_arch(cpu), .args = arguments});
}

/// Decided only by the arguments of the two calls.
bool changes_core_limit(arch cpu, const data& call) {
  if (call.arch != audit_arch(cpu)) return false;
  const auto is_core = [&](unsigned argument) { return static_cast<std::uint32_t>(call.args[argument]) == 4; };
  if (call.nr == number_of(cpu, "setrlimit")) return is_core(0);
  return call.nr == number_of(cpu, "prlimit64") && is_core(1) && call.args[2] != 0;
}

} // namespace

TEST_CASE("seccomp core_limit: setting the core limit has no effect and reports success") {
  for (const arch cpu : {arch::x86_64, arch::aarch64, arch::riscv64}) {
    CHECK(kept(cpu, "setrlimit", {4, somewhere}) == pretended);
    CHECK(kept(cpu, "prlimit64", {0, 4, somewhere}) == pretended);
    CHECK(kept(cpu, "prlimit64", {77, 4, low_half, somewhere}) == pretended);
  }
  HOLDS(kept(arch::x86_64, "setrlimit", {4}) == pretended);
  HOLDS(kept(arch::x86_64, "setrlimit", {std::uint64_t{1} << 32 | 4}) == pretended); // the kernel takes an unsigned int
}

TEST_CASE("seccomp core_limit: reading the core limit, and other limits, are unchanged") {
  HOLDS(kept(arch::x86_64, "prlimit64", {0, 4, 0, somewhere}) == pass);
  HOLDS(kept(arch::x86_64, "getrlimit", {4, somewhere}) == pass);
  HOLDS(kept(arch::x86_64, "setrlimit", {7, somewhere}) == pass);
  HOLDS(kept(arch::x86_64, "prlimit64", {0, 7, somewhere}) == pass);
  HOLDS(kept(arch::x86_64, "mount", {4}) == not_permitted);
}

TEST_CASE("seccomp core_limit: random filters change for the core limit alone") {
  chance random{29};
  for (int round = 0; round < 200; ++round) {
    const filter_spec d = random.some_demand();
    const program plain = compile(d), asks = with_user_notification(plain.code());
    const program keeps = keeping_core_limit(plain.code(), d.cpu), both = keeping_core_limit(asks.code(), d.cpu);
    REQUIRE(valid(keeps.code()));
    REQUIRE(valid(both.code()));
    REQUIRE(keeps.size() == both.size());
    for (int call = 0; call < 500; ++call) {
      data input = random.some_call(d.cpu);
      if (call % 5 == 0) input.nr = number_of(d.cpu, call % 2 == 0 ? "setrlimit" : "prlimit64");
      if (call % 10 < 3) input.args[static_cast<std::size_t>(call % 2)] = 4;
      const bool changes = changes_core_limit(d.cpu, input);
      CHECK(evaluate(keeps.code(), input) == (changes ? pretended : evaluate(plain.code(), input)));
      CHECK(evaluate(both.code(), input) == (changes ? pretended : evaluate(asks.code(), input)));
    }
  }
}

} // namespace seccomp_core_limit_test
