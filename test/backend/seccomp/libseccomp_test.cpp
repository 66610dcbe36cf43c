// SPDX-License-Identifier: BSL-1.0
/// Compares strict with libseccomp, which gets the allowed and refused calls by name. The results must be equal, and
/// libseccomp's program and paths must not be shorter.
#include "cordon/backend/seccomp/compile.hpp"
#include "cordon/backend/seccomp/evaluate.hpp"

#include <doctest/doctest.h>
#include <seccomp.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <string>
#include <vector>

#include <sys/mman.h>
#include <unistd.h>

namespace seccomp_libseccomp_test {

using namespace cordon::seccomp;

namespace {

struct machine {
  arch cpu;
  std::uint32_t token;
};
constexpr std::array machines{machine{arch::x86_64, SCMP_ARCH_X86_64}, machine{arch::aarch64, SCMP_ARCH_AARCH64},
                              machine{arch::riscv64, SCMP_ARCH_RISCV64}};

/// What libseccomp can express of our table, by number alone: a call that passes with some arguments passes.
std::vector<insn> theirs(const filter_spec& d, std::uint32_t token, std::uint32_t level) {
  scmp_filter_ctx filter = seccomp_init(SCMP_ACT_ERRNO(38));
  REQUIRE(filter != nullptr);
  bool done = seccomp_attr_set(filter, SCMP_FLTATR_CTL_OPTIMIZE, level) == 0;
  done = done && seccomp_attr_set(filter, SCMP_FLTATR_ACT_BADARCH, SCMP_ACT_KILL_PROCESS) == 0;
  if (seccomp_arch_native() != token)
    done = done && seccomp_arch_add(filter, token) == 0 && seccomp_arch_remove(filter, SCMP_ARCH_NATIVE) == 0;
  for (const call& c : calls) {
    const int number = seccomp_syscall_resolve_name_arch(token, std::string{c.name}.c_str());
    const disposition what = disposition_of(d, c.what);
    if (number < 0 || number != number_of(d.cpu, c.name) || what == disposition::absent) continue;
    const std::uint32_t answered = what == disposition::refuse ? SCMP_ACT_ERRNO(1) : SCMP_ACT_ALLOW;
    done =
        done && seccomp_rule_add(filter, answered, seccomp_syscall_resolve_name(std::string{c.name}.c_str()), 0) == 0;
  }
  const int file = memfd_create("filter", 0);
  done = done && file >= 0 && seccomp_export_bpf(filter, file) == 0;
  seccomp_release(filter);
  std::vector<insn> code(static_cast<std::size_t>(lseek(file, 0, SEEK_CUR)) / sizeof(insn));
  const auto bytes = static_cast<ssize_t>(code.size() * sizeof(insn));
  done = done && pread(file, code.data(), code.size() * sizeof(insn), 0) == bytes;
  close(file);
  REQUIRE(done);
  return code;
}

} // namespace

TEST_CASE("seccomp libseccomp: strict has libseccomp's verdicts, with no more instructions and no longer path") {
  for (const machine& m : machines)
    for (const bool network : {false, true}) {
      const filter_spec d{.cpu = m.cpu, .strict = true, .network = network, .connect = network};
      const program made = compile(d);
      for (const std::uint32_t level : {1U, 2U}) {
        const std::vector<insn> code = theirs(d, m.token, level);
        CAPTURE(name(m.cpu));
        REQUIRE(code.size() > 100);
        CHECK(made.size() < code.size());
        std::size_t own = 0, their = 0, compared = 0;
        for (std::uint32_t number = 0; number < number_set::limit; ++number) {
          const data in{static_cast<std::int32_t>(number), audit_arch(m.cpu)};
          const evaluation ours = trace(made.code(), in), other = trace(code, in);
          const disposition what = disposition_of(d, class_of(m.cpu, number));
          if (static_cast<std::size_t>(what) >= plain_dispositions) continue;
          char* const known = seccomp_syscall_resolve_num_arch(m.token, static_cast<int>(number));
          const bool compares = known != nullptr || what == disposition::absent;
          std::free(known);
          if (!compares) continue;
          CAPTURE(number);
          CHECK(ours.result.encoded() == other.result.encoded());
          own = std::max<std::size_t>(own, ours.executed);
          their = std::max<std::size_t>(their, other.executed);
          ++compared;
        }
        CHECK(compared > 300);
        CHECK(own <= their);
      }
    }
}

} // namespace seccomp_libseccomp_test
