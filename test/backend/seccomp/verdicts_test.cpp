// SPDX-License-Identifier: BSL-1.0
/// The verdict table: each row is compiled and its program run.
#include "cordon/backend/seccomp/compile.hpp"
#include "cordon/backend/seccomp/evaluate.hpp"
#include "vectors.hpp"

#include <doctest/doctest.h>

#include <string>

namespace seccomp_verdicts_test {

using namespace cordon::seccomp;

namespace {

/// The filter for calls of that ABI, and how it sees such a call.
void put_machine(const std::string& machine, filter_spec& d, data& in) {
  if (machine == "aarch64" || machine == "arm") d.cpu = arch::aarch64;
  else if (machine == "riscv64") d.cpu = arch::riscv64;
  else REQUIRE((machine == "x86_64" || machine == "x32" || machine == "i386"));
  in.arch = machine == "i386" ? 0x40000003 : machine == "arm" ? 0x40000028 : audit_arch(d.cpu);
}

void put_mode(const vectors::row& row, filter_spec& d) {
  for (const std::string& word : row.words("mode")) {
    if (word == "strict") d.strict = true;
    else if (word.rfind("deny=", 0) == 0) {
      const int denied = number_of(d.cpu, word.substr(5));
      REQUIRE_MESSAGE(denied >= 0, word);
      d.denied.insert(static_cast<std::uint32_t>(denied));
    } else REQUIRE_MESSAGE(word == "inherit", word);
  }
}

void put_call(const vectors::row& row, arch cpu, data& in) {
  const std::string name = row.text("syscall");
  long long number = name[0] == '#' ? std::stoll(name.substr(1), nullptr, 0) : number_of(cpu, name);
  // A foreign ABI has other call numbers, and none of them may pass.
  REQUIRE_MESSAGE((number >= 0 || in.arch != audit_arch(cpu)), name);
  if (row.text("arch") == "x32") number |= x32_bit;
  in.nr = static_cast<std::int32_t>(number);
  for (const std::string& word : row.words("args")) {
    REQUIRE((word.size() > 3 && word[0] == 'a' && word[1] >= '0' && word[1] < '6' && word[2] == '='));
    in.args[static_cast<std::size_t>(word[1] - '0')] = std::stoull(word.substr(3), nullptr, 0);
  }
}

std::string text_of(filter_action a) {
  if (a == pass) return "allow";
  if (a == kill_process) return "kill";
  return a == not_permitted ? "EPERM" : a == no_such_call ? "ENOSYS" : "errno " + std::to_string(a.error_number());
}

} // namespace

TEST_CASE("seccomp verdicts: the verdict table") {
  for (const vectors::row& row : vectors::table("seccomp_verdicts.tsv", 70)) {
    CAPTURE(row.line());
    filter_spec d;
    data in;
    d.network = d.connect = row.text("level") == "network";
    put_machine(row.text("arch"), d, in);
    put_mode(row, d);
    put_call(row, d.cpu, in);
    const std::string said = text_of(evaluate(compile(d).code(), in)), wanted = row.text("verdict");
    CHECK((said == wanted || (wanted == "EPERM or kill" && (said == "EPERM" || said == "kill"))));
  }
}

} // namespace seccomp_verdicts_test
