// SPDX-License-Identifier: BSL-1.0
#include "cordon/backend/seccomp/evaluate.hpp"

#include "holds.hpp"

#include <array>

namespace seccomp_evaluate_test {

using namespace cordon::seccomp;

namespace {

constexpr insn i(op code, std::uint32_t k, std::uint8_t jt = 0, std::uint8_t jf = 0) {
  return {static_cast<std::uint16_t>(code), jt, jf, k};
}
constexpr insn yes = i(op::give, pass.encoded()), no = i(op::give, not_permitted.encoded());

constexpr bool asks(op condition, std::uint32_t k, std::int32_t number) {
  const std::array code{i(op::load, 0), i(condition, k, 0, 1), yes, no};
  return valid(code) && evaluate(code, {.nr = number}) == pass;
}

constexpr std::uint32_t loads(std::uint32_t offset) {
  const data input{0x01020304,
                   0x11121314,
                   0x2122232425262728,
                   {0x3132333435363738, 0x4142434445464748, 2, 3, 4, 0x5152535455565758}};
  return word(input, offset);
}

} // namespace

TEST_CASE("seccomp evaluate: each condition compares as in the kernel") {
  HOLDS(asks(op::if_equal, 7, 7) && !asks(op::if_equal, 7, 8));
  HOLDS(asks(op::if_above, 7, 8) && !asks(op::if_above, 7, 7));
  HOLDS(asks(op::if_at_least, 7, 7) && !asks(op::if_at_least, 7, 6));
  HOLDS(asks(op::if_any_bit, 6, 2) && asks(op::if_any_bit, 6, 7) && !asks(op::if_any_bit, 6, 9));
  HOLDS(asks(op::if_at_least, 0x80000000, -1)); // unsigned, as in the kernel
}

TEST_CASE("seccomp evaluate: each offset loads its word of the input") {
  HOLDS(loads(0) == 0x01020304);
  HOLDS(loads(4) == 0x11121314);
  HOLDS(loads(8) == 0x25262728 && loads(12) == 0x21222324);
  HOLDS(loads(16) == 0x35363738 && loads(20) == 0x31323334);
  HOLDS(loads(offset_of_argument(1)) == 0x45464748);
  HOLDS(loads(56) == 0x55565758 && loads(60) == 0x51525354);
}

TEST_CASE("seccomp evaluate: masks and jumps") {
  constexpr std::array masked{i(op::load, 0), i(op::mask, 0xF), i(op::if_equal, 1, 0, 1), yes, no};
  HOLDS(evaluate(masked, {.nr = 0x81}) == pass);
  HOLDS(evaluate(masked, {.nr = 0x82}) == not_permitted);
  constexpr std::array over{i(op::jump, 1), yes, no};
  HOLDS(valid(over) && evaluate(over, {}) == not_permitted);
}

TEST_CASE("seccomp evaluate: executed instructions are counted, with the return") {
  constexpr std::array code{i(op::load, 0), i(op::if_equal, 1, 1, 0), i(op::jump, 1), yes, no};
  HOLDS(trace(code, {.nr = 1}).executed == 3);
  HOLDS(trace(code, {.nr = 2}).executed == 4);
}

TEST_CASE("seccomp evaluate: programs that the kernel would not load are invalid") {
  HOLDS(!valid({}));
  HOLDS(!valid(std::array{i(op::load, 0)}));                // no return at the end
  HOLDS(!valid(std::array{i(op::jump, 1), yes}));           // out of the program
  HOLDS(!valid(std::array{i(op::jump, 0xFFFFFFFF), yes}));  // backwards
  HOLDS(!valid(std::array{i(op::if_equal, 0, 1, 0), yes})); // out of the program
  HOLDS(!valid(std::array{i(op::if_equal, 0, 0, 1), yes})); // out of the program
  HOLDS(!valid(std::array{i(op::load, 2), yes}));           // not aligned
  HOLDS(!valid(std::array{i(op::load, 64), yes}));          // past the input
  HOLDS(!valid(std::array{insn{0xFFFF, 0, 0, 0}, yes}));    // no such operation
  HOLDS(valid(std::array{i(op::load, 60), i(op::if_equal, 0, 0, 1), yes, no}));
  CHECK(!valid(std::array<insn, longest_program + 1>{}));
}

TEST_CASE("seccomp evaluate: programs that the kernel would not load return kill_process") {
  HOLDS(evaluate({}, {}) == kill_process);
  HOLDS(evaluate(std::array{i(op::load, 0)}, {}) == kill_process);
  HOLDS(evaluate(std::array{i(op::load, 64), yes}, {}) == kill_process);
  HOLDS(evaluate(std::array{i(op::jump, 0xFFFFFFFF), yes}, {}) == kill_process);
  HOLDS(evaluate(std::array{insn{0x60, 0, 0, 0}, yes}, {}) == kill_process);
}

} // namespace seccomp_evaluate_test
