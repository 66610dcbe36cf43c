// SPDX-License-Identifier: BSL-1.0
#include "cordon/backend/seccomp/compile.hpp"

#include "cordon/backend/seccomp/evaluate.hpp"
#include "lists.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <bit>
#include <random>
#include <string_view>
#include <vector>

namespace seccomp_tree_test {

using namespace cordon::seccomp;

namespace {

constexpr std::size_t ceil_log2(std::size_t n) { return n < 2 ? 0 : static_cast<std::size_t>(std::bit_width(n - 1)); }

struct measure {
  std::size_t instructions;
  std::size_t executed; ///< on the longest path
  std::size_t intervals;
  std::size_t cuts;
  bool right; ///< every number gets the result of the list
};

std::vector<std::uint32_t> numbers() {
  std::vector<std::uint32_t> all{1024,       1025,       4096,       0x3FFFFFFF, 0x40000000,
                                 0x40000001, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF};
  for (std::uint32_t n = 0; n < 1024; ++n) all.push_back(n);
  return all;
}

filter_action wanted(const listing& l, std::uint32_t number) {
  if (l.cpu == arch::x86_64 && (number >= 0x40000000 || (number >= 512 && number < 548))) return kill_process;
  return l.numbers.has(number) ? l.listed : l.otherwise;
}

/// Runs of numbers with one result.
std::size_t intervals(const listing& l) {
  std::size_t runs = 1;
  for (std::uint32_t n = 1; n < 1024; ++n) runs += wanted(l, n) == wanted(l, n - 1) ? 0 : 1;
  return runs + (wanted(l, 0x3FFFFFFF) == wanted(l, 0x40000000) ? 0 : 1);
}

measure of(const listing& l) {
  const program made = compile(l);
  const breakpoints all{l.cpu, l.numbers, disposition::refuse, disposition::allow};
  measure m{made.size(), 0, intervals(l), all.size(), valid(made.code())};
  for (const std::uint32_t number : numbers()) {
    const evaluation run = trace(made.code(), {static_cast<std::int32_t>(number), audit_arch(l.cpu)});
    m.executed = std::max<std::size_t>(m.executed, run.executed);
    m.right = m.right && run.result == wanted(l, number);
  }
  return m;
}

/// Two branches around each run of listed numbers, a return of each sort, and the architecture before all of it.
std::size_t plain_interval_tree(const listing& l) { return 3 + intervals(l) - 1 + 3; }

listing denylist(arch cpu) { return {cpu, numbers_of(cpu, lists::denied), not_permitted, pass}; }
listing allowlist(arch cpu) { return {cpu, numbers_of(cpu, lists::allowed), pass, no_such_call}; }

} // namespace

TEST_CASE("seccomp tree: lists of 37 denied and of 250 allowed calls are small and fast") {
  const measure denied = of(denylist(arch::x86_64));
  CHECK(denied.right);
  CHECK(denied.instructions <= 43);
  CHECK(denied.executed <= 12);
  const measure allowed = of(allowlist(arch::x86_64));
  CHECK(allowed.right);
  CHECK(allowed.instructions <= 92);
  CHECK(allowed.executed <= 13);
  for (const arch cpu : {arch::aarch64, arch::riscv64}) {
    CHECK(of(denylist(cpu)).right);
    CHECK(of(denylist(cpu)).instructions <= 43);
    CHECK(of(allowlist(cpu)).right);
    CHECK(of(allowlist(cpu)).instructions <= 92);
  }
}

TEST_CASE("seccomp tree: evenly spread names, the worst list, execute at most 13 instructions") {
  std::vector<std::string_view> spread;
  for (std::size_t i = 0; i < 250; ++i) spread.push_back(calls[i * calls.size() / 250].name);
  for (const arch cpu : {arch::x86_64, arch::aarch64, arch::riscv64}) {
    const listing l{cpu, numbers_of(cpu, spread), pass, not_permitted};
    CHECK(of(l).right);
    CHECK(of(l).executed <= 13);
    CHECK(of(l).instructions <= plain_interval_tree(l));
  }
}

TEST_CASE("seccomp tree: random lists are right, fast, and no larger than a plain interval tree") {
  std::mt19937 random{1};
  const auto below = [&](std::uint32_t end) { return static_cast<std::uint32_t>(random() % end); };
  for (int round = 0; round < 1500; ++round) {
    listing l{static_cast<arch>(round % 3), {}, not_permitted, pass};
    // Stretches of single numbers, of short runs and without any: a mixture that is hard to halve.
    for (std::uint32_t n = 0; n < number_set::limit;) switch (const std::uint32_t stretch = 1 + below(60); below(3)) {
      case 0:
        for (std::uint32_t i = 0; i < stretch; ++i, n += 2) l.numbers.insert(n);
        break;
      case 1:
        for (std::uint32_t i = 0; i < stretch / 2; ++i, n += 4) l.numbers.insert(n), l.numbers.insert(n + 1);
        break;
      default: n += stretch;
      }
    if (round % 2 == 1) std::swap(l.listed, l.otherwise);
    const measure m = of(l);
    CAPTURE(round);
    REQUIRE(m.right);
    // Above 255 instructions single jumps do not reach. Jumps between them cost a step and an instruction.
    const std::size_t trampolines = m.instructions < 256 ? 0 : 2;
    CHECK(m.executed <= ceil_log2(m.intervals) + 6 + trampolines);
    // The architecture, the number and the return take four.
    CHECK(m.executed <= 4 + ceil_log2(m.cuts) + 2 + trampolines);
    if (trampolines == 0) CHECK(m.instructions <= plain_interval_tree(l));
  }
}

TEST_CASE("seccomp tree: empty, full and alternating lists are right") {
  for (const arch cpu : {arch::x86_64, arch::aarch64, arch::riscv64}) {
    listing none{cpu, {}, not_permitted, pass};
    CHECK(of(none).right);
    CHECK(of(none).executed <= 6);

    listing everything = none, every_other = none, two_of_four = none, one = none;
    for (std::uint32_t n = 0; n < number_set::limit; ++n) {
      everything.numbers.insert(n);
      if (n % 2 == 1) every_other.numbers.insert(n);
      if (n % 4 < 2) two_of_four.numbers.insert(n);
    }
    one.numbers.insert(0);
    for (const listing& l : {everything, every_other, two_of_four, one}) CHECK(of(l).right);
    CHECK(of(one).executed <= 7);
    CHECK(of(every_other).instructions > 300); // far jumps are used
    CHECK(of(every_other).instructions < 350); // but they are few
    CHECK(of(two_of_four).instructions < 300);
  }
}

TEST_CASE("seccomp tree: lists with equal or killing verdicts are right") {
  for (const arch cpu : {arch::x86_64, arch::aarch64}) {
    const number_set set = numbers_of(cpu, {"read", "ptrace"});
    for (const listing& l :
         {listing{cpu, set, pass, pass}, listing{cpu, set, kill_process, pass}, listing{cpu, set, pass, kill_process},
          listing{cpu, set, kill_process, kill_process}, listing{cpu, set, filter_action::error(13), notify}})
      CHECK(of(l).right);
  }
  CHECK(compile(listing{arch::aarch64, numbers_of(arch::aarch64, {"read"}), pass, pass}).size() == 5);
}

} // namespace seccomp_tree_test
