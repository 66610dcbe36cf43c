// SPDX-License-Identifier: BSL-1.0
/// Compares our interpreter with libpcap's, which does not know seccomp: it loads big-endian words from a packet.
#include "chance.hpp"
#include "cordon/backend/seccomp/compile.hpp"
#include "cordon/backend/seccomp/evaluate.hpp"
#include "lists.hpp"

#include <doctest/doctest.h>
#include <pcap/bpf.h>

#include <array>
#include <cstring>
#include <vector>

namespace seccomp_pcap_test {

using namespace cordon::seccomp;

namespace {

std::array<u_char, sizeof(data)> packet(const data& input) {
  std::array<u_char, sizeof(data)> bytes{};
  for (std::uint32_t offset = 0; offset < sizeof(data); offset += 4)
    for (std::uint32_t i = 0; i < 4; ++i) bytes[offset + i] = static_cast<u_char>(word(input, offset) >> (24 - 8 * i));
  return bytes;
}

std::vector<bpf_insn> translated(const program& made) {
  static_assert(sizeof(bpf_insn) == sizeof(insn));
  std::vector<bpf_insn> code(made.size());
  std::memcpy(code.data(), made.code().data(), made.size() * sizeof(insn));
  return code;
}

std::uint32_t run(const std::vector<bpf_insn>& code, const data& input) {
  const auto bytes = packet(input);
  return bpf_filter(code.data(), bytes.data(), sizeof(data), sizeof(data));
}

} // namespace

TEST_CASE("seccomp pcap: libpcap accepts every filter, and returns the same verdicts") {
  chance random{21};
  int verdicts = 0;
  for (int round = 0; round < 400; ++round) {
    const filter_spec d = random.some_demand();
    const program made = compile(d);
    const std::vector<bpf_insn> code = translated(made);
    REQUIRE(bpf_validate(code.data(), static_cast<int>(code.size())) == 1);
    REQUIRE(valid(made.code()));
    for (int call = 0; call < 500; ++call, ++verdicts) {
      const data input = random.some_call(d.cpu);
      REQUIRE(run(code, input) == evaluate(made.code(), input).encoded());
    }
  }
  MESSAGE(verdicts, " verdicts of libpcap's");
  CHECK(verdicts >= 100000);
}

TEST_CASE("seccomp pcap: libpcap returns the same verdict for every number of a list") {
  for (const arch cpu : {arch::x86_64, arch::aarch64, arch::riscv64})
    for (const bool denies : {true, false}) {
      const number_set names = denies ? numbers_of(cpu, lists::denied) : numbers_of(cpu, lists::allowed);
      const program made =
          compile(denies ? listing{cpu, names, not_permitted, pass} : listing{cpu, names, pass, no_such_call});
      const std::vector<bpf_insn> code = translated(made);
      REQUIRE(bpf_validate(code.data(), static_cast<int>(code.size())) == 1);
      for (std::int32_t number = -2; number < 2000; ++number) {
        const data input{number, audit_arch(cpu)};
        REQUIRE(run(code, input) == evaluate(made.code(), input).encoded());
      }
    }
}

TEST_CASE("seccomp pcap: a program that libpcap refuses is invalid here as well") {
  std::mt19937 random{22};
  int refused = 0;
  for (int round = 0; round < 20000; ++round) {
    program made = compile(listing{arch::aarch64, numbers_of(arch::aarch64, {"read", "ptrace"}), pass, not_permitted});
    std::vector<insn> code(made.code().begin(), made.code().end());
    insn& hit = code[random() % code.size()];
    switch (random() % 4) {
    case 0: hit.jt = static_cast<std::uint8_t>(random() % 12); break;
    case 1: hit.jf = static_cast<std::uint8_t>(random() % 12); break;
    case 2:
      hit.code = static_cast<std::uint16_t>(std::array{0x05, 0x06, 0x15, 0x20, 0x25, 0x35, 0x45}[random() % 7]);
      break;
    default: hit.k = static_cast<std::uint32_t>(random() % 12);
    }
    std::vector<bpf_insn> theirs(code.size());
    std::memcpy(theirs.data(), code.data(), code.size() * sizeof(insn));
    const bool accepted = bpf_validate(theirs.data(), static_cast<int>(theirs.size())) == 1;
    CHECK((accepted || !valid(code)));
    refused += accepted ? 0 : 1;
  }
  CHECK(refused > 1000);
}

} // namespace seccomp_pcap_test
