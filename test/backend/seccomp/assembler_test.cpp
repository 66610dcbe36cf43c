// SPDX-License-Identifier: BSL-1.0
#include "cordon/backend/seccomp/assembler.hpp"

#include "cordon/backend/seccomp/evaluate.hpp"
#include "holds.hpp"

namespace seccomp_assembler_test {

using namespace cordon::seccomp;

namespace {

/// A branch with about so many instructions before each of its results, evaluated for both outcomes.
constexpr bool far_answers(std::size_t yes_gap, std::size_t no_gap) {
  program out;
  assembler to{out};
  const auto pad = [&](label from, std::size_t gap) {
    while (to.top() - from < gap) to.give(kill_process);
  };
  const bool yes_last = yes_gap >= no_gap;
  const label last = to.give(yes_last ? pass : not_permitted);
  pad(last, yes_last ? yes_gap - no_gap : no_gap - yes_gap);
  const label first = to.give(yes_last ? not_permitted : pass);
  pad(first, yes_last ? no_gap : yes_gap);
  to.load(offset_of_number, to.branch(op::if_equal, 7, yes_last ? last : first, yes_last ? first : last));
  return valid(out.code()) && evaluate(out.code(), {.nr = 7}) == pass &&
         evaluate(out.code(), {.nr = 8}) == not_permitted;
}

} // namespace

TEST_CASE("seccomp assembler: jumps of more than 255 instructions reach their target") {
  HOLDS(far_answers(0, 0));
  HOLDS(far_answers(255, 255));
  HOLDS(far_answers(256, 0));
  for (std::size_t yes = 250; yes < 262; ++yes)
    for (std::size_t no = 250; no < 262; ++no) CHECK(far_answers(yes, no));
  CHECK(far_answers(900, 3));
  CHECK(far_answers(3, 900));
  CHECK(far_answers(500, 900));
}

TEST_CASE("seccomp assembler: a branch to an instruction that is not the next one jumps") {
  constexpr auto run = [](std::int32_t number) {
    program out;
    assembler to{out};
    const label far = to.give(pass);
    to.give(kill_process);
    const label masked = to.mask(6, to.branch(op::if_equal, 2, far, to.give(not_permitted)));
    to.give(kill_process);
    to.load(offset_of_number, masked);
    return valid(out.code()) ? evaluate(out.code(), {.nr = number}) : kill_process;
  };
  HOLDS(run(2) == pass);
  HOLDS(run(11) == pass);
  HOLDS(run(4) == not_permitted);
}

TEST_CASE("seccomp assembler: instructions have the kernel's layout") {
  constexpr insn i = [] {
    program out;
    assembler{out}.give(filter_action::error(13));
    return out.code()[0];
  }();
  HOLDS(i == insn{0x06, 0, 0, 0x0005000D});
  HOLDS(sizeof(insn) == 8);
  HOLDS(sizeof(data) == 64);
}

TEST_CASE("seccomp assembler: verdicts have the kernel's encoding") {
  HOLDS(pass.encoded() == 0x7FFF0000);
  HOLDS(kill_process.encoded() == 0x80000000);
  HOLDS(not_permitted.encoded() == 0x00050001);
  HOLDS(no_such_call.encoded() == 0x00050026);
  HOLDS(filter_action::error(70000).error_number() == 4095);
  HOLDS(pass.error_number() == 0);
  HOLDS(filter_action{} == kill_process); // the default is never less strict
}

} // namespace seccomp_assembler_test
