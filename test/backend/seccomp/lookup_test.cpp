// SPDX-License-Identifier: BSL-1.0
#include "cordon/backend/seccomp/lookup.hpp"

#include "holds.hpp"

#include <string>

namespace seccomp_lookup_test {

using namespace cordon::seccomp;

TEST_CASE("seccomp lookup: the table is sorted, and names and numbers are unique on each machine") {
  HOLDS([] {
    for (std::size_t i = 1; i < calls.size(); ++i)
      if (calls[i - 1].name >= calls[i].name) return false;
    return true;
  }());
  HOLDS([] {
    for (std::size_t cpu = 0; cpu < arch_names.size(); ++cpu) {
      bool used[detail::table_numbers]{};
      for (const call& c : calls) {
        if (c.numbers[cpu] < 0) continue;
        if (used[c.numbers[cpu]]) return false;
        used[c.numbers[cpu]] = true;
      }
    }
    return true;
  }());
}

TEST_CASE("seccomp lookup: every call of the table is reviewed") {
  HOLDS([] {
    for (const call& c : calls)
      if (c.what == call_class::unreviewed || static_cast<std::size_t>(c.what) >= call_class_count) return false;
    return true;
  }());
}

TEST_CASE("seccomp lookup: each name has its number") {
  HOLDS(number_of(arch::x86_64, "read") == 0);
  HOLDS(number_of(arch::aarch64, "read") == 63);
  HOLDS(number_of(arch::riscv64, "riscv_flush_icache") == 259);
  HOLDS(number_of(arch::x86_64, "file_setattr") == 469);
  HOLDS(number_of(arch::x86_64, "clone3") == 435);
  HOLDS(number_of(arch::aarch64, "renameat") == 38);

  HOLDS(number_of(arch::aarch64, "open") == -1);
  HOLDS(number_of(arch::riscv64, "renameat") == -1);
  HOLDS(number_of(arch::x86_64, "riscv_hwprobe") == -1);
  HOLDS(is_call("riscv_hwprobe"));
}

TEST_CASE("seccomp lookup: unknown names have no number") {
  HOLDS(!is_call(""));
  HOLDS(!is_call("rd"));
  HOLDS(!is_call("reads"));
  HOLDS(!is_call("rea"));
  HOLDS(!is_call("READ"));
  HOLDS(!is_call("\xFF\xFF\xFF\xFF"));
  HOLDS(number_of(arch::x86_64, "no_such_call") == -1);
}

TEST_CASE("seccomp lookup: every name is found, also by its number") {
  for (const call& c : calls)
    for (std::size_t cpu = 0; cpu < arch_names.size(); ++cpu) {
      const auto machine = static_cast<arch>(cpu);
      CAPTURE(std::string{c.name});
      CHECK(number_of(machine, c.name) == c.numbers[cpu]);
      if (c.numbers[cpu] < 0) continue;
      const auto number = static_cast<std::uint32_t>(c.numbers[cpu]);
      CHECK(name_of(machine, number) == c.name);
      CHECK(class_of(machine, number) == c.what);
    }
}

TEST_CASE("seccomp lookup: numbers without a name") {
  HOLDS(name_of(arch::x86_64, 337).empty());
  HOLDS(name_of(arch::aarch64, 245).empty());
  HOLDS(name_of(arch::x86_64, 511).empty());
  HOLDS(name_of(arch::x86_64, 0xFFFFFFFF).empty());
  HOLDS(class_of(arch::x86_64, 337) == call_class::unreviewed);
  HOLDS(class_of(arch::x86_64, 0x40000000) == call_class::unreviewed);
}

TEST_CASE("seccomp lookup: machines have the numbers of the audit headers") {
  HOLDS(audit_arch(arch::x86_64) == 0xC000003E);
  HOLDS(audit_arch(arch::aarch64) == 0xC00000B7);
  HOLDS(audit_arch(arch::riscv64) == 0xC00000F3);
  HOLDS(name(arch::riscv64) == "riscv64");
}

} // namespace seccomp_lookup_test
