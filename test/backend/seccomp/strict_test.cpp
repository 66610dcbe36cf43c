// SPDX-License-Identifier: BSL-1.0
/// Checks strict as a list of permissions: what it must allow, what it returns for the rest, and its cost.
#include "cordon/backend/seccomp/compile.hpp"
#include "cordon/backend/seccomp/evaluate.hpp"
#include "holds.hpp"
#include "strict_lists.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <string_view>

namespace seccomp_strict_test {

using namespace cordon::seccomp;

namespace {

constexpr std::array machines{arch::x86_64, arch::aarch64, arch::riscv64};
constexpr std::uint32_t end_of_numbers = 1030;

/// One filter spec for every mix that changes the verdicts by number, then abilities one by one and all together.
template <class See> void each_demand(See see) {
  for (const arch cpu : machines)
    for (unsigned mix = 0; mix < 64; ++mix)
      for (unsigned lifted = 0; lifted <= cordon::ability_names.size() + 1; ++lifted) {
        filter_spec d{.cpu = cpu, .spawn = (mix & 1) == 0, .network = (mix & 2) != 0};
        d.connect = d.listen = (mix & 4) != 0;
        d.pid_namespace = (mix & 8) != 0;
        d.ipc_namespace = (mix & 16) != 0;
        d.set_id = (mix & 32) == 0;
        d.lifted = static_cast<std::uint16_t>(lifted <= cordon::ability_names.size() ? (1U << lifted) / 2 : 0x7FF);
        see(d);
      }
}

filter_spec strict(filter_spec d) {
  d.strict = true;
  return d;
}

constexpr data call_of(arch cpu, std::uint32_t number, std::uint64_t argument = 0) {
  return {static_cast<std::int32_t>(number), audit_arch(cpu), 0, {argument, argument, argument, argument}};
}

/// Results of baseline and strict, for a number and arguments with each sort of problem.
template <class See> void each_call(const filter_spec& d, See see) {
  const program of_baseline = compile(d), of_strict = compile(strict(d));
  for (std::uint32_t number = 0; number < end_of_numbers; ++number)
    for (const std::uint64_t argument :
         {0x0ULL, 0x1ULL, 0x2ULL, 0x5412ULL, 0x10000000ULL, 0x20010000ULL, 0x100000001ULL}) {
      const data in = call_of(d.cpu, number, argument);
      see(number, evaluate(of_baseline.code(), in), evaluate(of_strict.code(), in));
    }
}

constexpr bool is_killed(arch cpu, std::uint32_t number) {
  return cpu == arch::x86_64 && (number >= x32_bit || (number >= 512 && number < 548));
}

constexpr bool passes_needed(arch cpu) {
  const program made = compile(filter_spec{.cpu = cpu, .strict = true});
  const auto pass_all = [&](const auto& names) {
    for (const std::string_view name : names)
      if (const int number = number_of(cpu, name);
          !is_call(name) ||
          (number >= 0 && evaluate(made.code(), call_of(cpu, static_cast<std::uint32_t>(number))) != pass))
        return false;
    return true;
  };
  return pass_all(lists::observed) && pass_all(lists::siblings);
}

/// Runs of numbers with one verdict.
std::size_t intervals(const filter_spec& d) {
  const auto of = [&](std::uint32_t n) {
    return is_killed(d.cpu, n) ? disposition::kill : disposition_of(d, class_of(d.cpu, n));
  };
  std::size_t runs = d.cpu == arch::x86_64 ? 2 : 1;
  for (std::uint32_t n = 1; n < end_of_numbers; ++n) runs += of(n) == of(n - 1) ? 0 : 1;
  return runs;
}

} // namespace

TEST_CASE("seccomp strict: calls that ordinary tools need, now or soon, are allowed") {
  HOLDS(passes_needed(arch::x86_64));
  HOLDS(passes_needed(arch::aarch64));
  HOLDS(passes_needed(arch::riscv64));
}

TEST_CASE("seccomp strict: strict allows nothing that the baseline refuses, and keeps its errors") {
  std::size_t narrower = 0;
  bool right = true;
  each_demand([&](const filter_spec& d) {
    each_call(d, [&](std::uint32_t, filter_action wide, filter_action narrow) {
      right = right && (narrow == wide || (wide == pass && narrow == no_such_call));
      narrower += narrow == wide ? 0 : 1;
    });
  });
  CHECK(right);
  CHECK(narrower > 0);
}

TEST_CASE("seccomp strict: unreviewed numbers return ENOSYS under every combination of abilities") {
  std::size_t asked = 0;
  each_demand([&](const filter_spec& d) {
    const program made = compile(strict(d));
    for (const std::uint32_t number : {470U, 499U, 500U, 511U, 548U, 1029U, 4096U, 9999U, 0x3FFFFFFFU})
      CHECK(evaluate(made.code(), call_of(d.cpu, number)) == no_such_call);
    for (std::uint32_t number = 0; number < end_of_numbers; ++number) {
      if (!name_of(d.cpu, number).empty() || is_killed(d.cpu, number)) continue;
      if (evaluate(made.code(), call_of(d.cpu, number, asked % 3)) != no_such_call) FAIL(number);
      ++asked;
    }
  });
  CHECK(asked > 100000);
}

TEST_CASE("seccomp strict: a denied call is refused under strict too, and clone3 returns ENOSYS") {
  for (const arch cpu : machines) {
    filter_spec d{.cpu = cpu, .strict = true};
    d.denied = numbers_of(cpu, {"memfd_create", "clone3", "vmsplice"});
    const program made = compile(d);
    const auto said = [&](std::string_view name) {
      return evaluate(made.code(), call_of(cpu, static_cast<std::uint32_t>(number_of(cpu, name))));
    };
    CHECK(said("memfd_create") == not_permitted);
    CHECK(said("vmsplice") == not_permitted);
    CHECK(said("clone3") == no_such_call);
    CHECK(said("mbind") == no_such_call);
  }
}

TEST_CASE("seccomp strict: calls through another ABI are killed under strict too") {
  for (const arch cpu : machines) {
    const program made = compile(filter_spec{.cpu = cpu, .strict = true, .lifted = 0x7FF, .network = true});
    for (std::uint32_t number = 0; number < end_of_numbers; ++number) {
      // i386, arm, mips, x86_64, aarch64, riscv64, riscv32
      for (const std::uint32_t abi :
           {0x40000003U, 0x40000028U, 0x8U, 0xC000003EU, 0xC00000B7U, 0xC00000F3U, 0x400000F3U}) {
        if (abi == audit_arch(cpu)) continue;
        if (evaluate(made.code(), {static_cast<std::int32_t>(number), abi}) != kill_process) FAIL(abi);
      }
      const filter_action wanted = cpu == arch::x86_64 ? kill_process : no_such_call;
      if (evaluate(made.code(), call_of(cpu, number | x32_bit)) != wanted) FAIL(number);
    }
  }
}

TEST_CASE("seccomp strict: strict executes no more instructions than a list") {
  each_demand([](const filter_spec& loose) {
    const filter_spec d = strict(loose);
    const program made = compile(d);
    const std::size_t n = intervals(d), halvings = static_cast<std::size_t>(std::bit_width(n - 1));
    std::size_t by_number = 0, by_arguments = 0;
    for (std::uint32_t number = 0; number < end_of_numbers; ++number) {
      const bool looks = static_cast<std::size_t>(disposition_of(d, class_of(d.cpu, number))) >= plain_dispositions;
      for (const std::uint64_t argument : {0U, 1U, 2U, 10U, 17U, 0x541CU}) {
        const std::size_t taken = trace(made.code(), call_of(d.cpu, number, argument)).executed;
        (looks ? by_arguments : by_number) = std::max(looks ? by_arguments : by_number, taken);
      }
    }
    CHECK(by_number <= halvings + 6);
    CHECK(by_arguments <= 22);
    CHECK(valid(made.code()));
    // Two loads, the architecture, a branch between two runs, four returns; and all argument checks together.
    CHECK(made.size() <= 3 + n - 1 + 4 + (d.set_id ? 25 : 35));
  });
}

} // namespace seccomp_strict_test
