// SPDX-License-Identifier: BSL-1.0
#include "cordon/backend/seccomp/disassemble.hpp"

#include "cordon/backend/seccomp/compile.hpp"
#include "holds.hpp"

#include <array>
#include <string>

namespace seccomp_disassemble_test {

using namespace cordon::seccomp;

namespace {

std::string text_of(arch cpu, std::span<const insn> code) {
  std::string all;
  disassemble(cpu, code, [&](std::string_view text) { (all += text) += '\n'; });
  return all;
}

std::string text_of(arch cpu, const insn& one) { return text_of(cpu, std::span{&one, 1}); }

} // namespace

TEST_CASE("seccomp disassemble: the filter of a list is printed") {
  const listing l{arch::x86_64, numbers_of(arch::x86_64, {"ptrace", "mount", "umount2", "bpf"}), not_permitted, pass};
  CHECK(text_of(l.cpu, compile(l).code()) == R"(   0  load arch
   1  if arch == x86_64 then 2 else 12
   2  load number
   3  if number >= 167 swapon then 6 else 4
   4  if number >= 165 mount then 9 else 5
   5  if number == 101 ptrace then 9 else 11
   6  if number >= 548 then 10 else 7
   7  if number >= 512 then 12 else 8
   8  if number == 321 bpf then 9 else 11
   9  answer EPERM
  10  if number >= 0x40000000 then 12 else 11
  11  answer allow
  12  answer kill
)");
}

TEST_CASE("seccomp disassemble: argument checks are printed") {
  const filter_spec d{.cpu = arch::aarch64};
  const std::string text = text_of(d.cpu, compile(d).code());
  for (const char* const part :
       {"   1  if arch == aarch64 then ", "load argument 0\n", " == 199 socketpair then ", "mask 0xf\n",
        "if argument 1 == 0x5412 then ", "if argument 0 & 0x7e020000 then ", "if argument 3 & 0x20000000 then ",
        "answer EPERM\n", "answer ENOSYS\n", "answer allow\n", "answer kill\n"})
    CHECK_MESSAGE(text.find(part) != text.npos, part);
  CHECK(text.find('?') == text.npos); // the content of the accumulator is known everywhere
}

TEST_CASE("seccomp disassemble: instructions that no filter uses are printed too") {
  CHECK(text_of(arch::x86_64, {0x15, 1, 2, 0x20}) == "   0  if ? == 0x20 then 2 else 3\n");
  CHECK(text_of(arch::x86_64, {0x20, 0, 0, 28}) == "   0  load argument 1 high\n");
  CHECK(text_of(arch::x86_64, {0x20, 0, 0, 12}) == "   0  load address high\n");
  CHECK(text_of(arch::x86_64, {0x06, 0, 0, 0x7FC00000}) == "   0  answer notify\n");
  CHECK(text_of(arch::x86_64, {0x06, 0, 0, 0x0005000D}) == "   0  answer errno 13\n");
  CHECK(text_of(arch::x86_64, {0x06, 0, 0, 0x7FFC0000}) == "   0  answer 0x7ffc0000\n");
  CHECK(text_of(arch::x86_64, {0x61, 0, 0, 0}) == "   0  unknown 0x61\n");
  CHECK(text_of(arch::x86_64, std::array{insn{0x20, 0, 0, 4}, insn{0x25, 0, 0, 0xC00000B7}}) ==
        "   0  load arch\n   1  if arch > 0xc00000b7 then 2 else 2\n");
  // An instruction that is reached with two different words.
  CHECK(text_of(arch::x86_64,
                std::array{insn{0x20, 0, 0, 0}, insn{0x15, 0, 1, 7}, insn{0x20, 0, 0, 4}, insn{0x15, 0, 0, 7}})
            .find("   3  if ? == 0x7 ") != std::string::npos);
  // The loaded word stays known after a jump, but not after a return.
  CHECK(text_of(arch::x86_64,
                std::array{insn{0x20, 0, 0, 0}, insn{0x05, 0, 0, 1}, insn{0x15, 0, 0, 7}, insn{0x15, 0, 0, 7}}) ==
        "   0  load number\n   1  go 3\n   2  if ? == 0x7 then 3 else 3\n   3  if number == 7 poll then 4 else 4\n");
}

TEST_CASE("seccomp disassemble: an empty or overlong program is printed safely") {
  CHECK(text_of(arch::x86_64, std::span<const insn>{}).empty());
  static constexpr std::array<insn, longest_program + 10> many{};
  std::size_t lines = 0;
  disassemble(arch::x86_64, many, [&](std::string_view) { ++lines; });
  CHECK(lines == longest_program);
  CHECK(text_of(arch::x86_64, {0x05, 0, 0, 0xFFFFFFFF}) == "   0  go 0\n");
}

TEST_CASE("seccomp disassemble: lines can be built in constant expressions") {
  HOLDS([] {
    line l;
    (l << "a ").decimal(7, 3).hexadecimal(0xBEEF);
    return l.text() == "a   70xbeef";
  }());
  HOLDS([] {
    line l;
    for (int i = 0; i < 100; ++i) l << "four";
    return l.text().size() == 120;
  }());
  HOLDS([] {
    std::size_t lines = 0;
    const listing l{};
    disassemble(l.cpu, compile(l).code(), [&](std::string_view text) { lines += text.empty() ? 0 : 1; });
    return lines == compile(l).size();
  }());
}

} // namespace seccomp_disassemble_test
