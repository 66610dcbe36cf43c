// SPDX-License-Identifier: BSL-1.0
/// Compares programs with the model: random filter specs and arguments, near the values that matter.
#include "model.hpp"

#include "chance.hpp"
#include "cordon/backend/seccomp/compile.hpp"
#include "cordon/backend/seccomp/evaluate.hpp"

#include <doctest/doctest.h>

#include <string>

namespace seccomp_model_test {

using namespace cordon::seccomp;

namespace {

void agree(const filter_spec& d, const program& made, const data& input) {
  const evaluation run = trace(made.code(), input);
  if (run.result == model::expected(d, input)) return;
  CAPTURE(static_cast<int>(d.cpu));
  CAPTURE(static_cast<std::uint32_t>(input.nr));
  CAPTURE(std::string{name_of(d.cpu, static_cast<std::uint32_t>(input.nr))});
  CAPTURE(input.args[0]);
  CAPTURE(input.args[1]);
  CAPTURE(input.args[2]);
  CAPTURE(input.args[3]);
  CHECK(run.result.encoded() == model::expected(d, input).encoded());
}

} // namespace

TEST_CASE("seccomp model: random filters agree with the model for random calls") {
  chance random{11};
  for (int round = 0; round < 600; ++round) {
    const filter_spec d = random.some_demand();
    const program made = compile(d);
    REQUIRE(valid(made.code()));
    for (int call = 0; call < 500; ++call) agree(d, made, random.some_call(d.cpu));
  }
}

TEST_CASE("seccomp model: each plain filter agrees with the model for every number") {
  for (int choice = 0; choice < 12; ++choice) {
    filter_spec d{.cpu = static_cast<arch>(choice % 3), .strict = choice / 3 % 2 != 0, .network = choice / 6 != 0};
    const program made = compile(d);
    for (std::int32_t number = 0; number < 2000; ++number) agree(d, made, {number, audit_arch(d.cpu)});
  }
}

TEST_CASE("seccomp model: each ability lifts its calls and no others") {
  for (const arch cpu : {arch::x86_64, arch::aarch64, arch::riscv64})
    for (unsigned bit = 0; bit < cordon::ability_names.size(); ++bit)
      for (const bool strict : {false, true}) {
        const filter_spec d{
            .cpu = cpu, .strict = strict, .lifted = static_cast<std::uint16_t>(1U << bit), .network = true};
        const program made = compile(d);
        for (std::int32_t number = 0; number < 600; ++number) agree(d, made, {number, audit_arch(cpu)});
      }
}

TEST_CASE("seccomp model: a narrower filter_spec never allows more") {
  chance random{12};
  for (int round = 0; round < 200; ++round) {
    const filter_spec wide = random.some_demand();
    const filter_spec narrow = random.narrower(wide);
    const program of_wide = compile(wide), of_narrow = compile(narrow);
    for (int call = 0; call < 300; ++call) {
      const data input = random.some_call(wide.cpu);
      if (evaluate(of_narrow.code(), input) == pass) CHECK(evaluate(of_wide.code(), input) == pass);
    }
  }
}

TEST_CASE("seccomp model: no call executes more than 22 instructions") {
  chance random{13};
  for (int round = 0; round < 300; ++round) {
    const filter_spec d = random.some_demand();
    const program made = compile(d);
    for (int call = 0; call < 200; ++call) CHECK(trace(made.code(), random.some_call(d.cpu)).executed <= 22);
  }
}

} // namespace seccomp_model_test
