// SPDX-License-Identifier: BSL-1.0
/// The verdict table: each row is compiled and its program run.
#include "cordon/backend/seccomp/compile.hpp"
#include "cordon/backend/seccomp/evaluate.hpp"

#include <doctest/doctest.h>

#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

using namespace cordon::seccomp;

namespace {

std::vector<std::string> split(const std::string& text, char at) {
  std::vector<std::string> parts;
  std::istringstream from{text};
  for (std::string part; std::getline(from, part, at);) parts.push_back(part);
  return parts;
}

struct row {
  std::string level, mode, machine, name, args, verdict, whole;
};

std::vector<row> rows() {
  const char* const set = std::getenv("CORDON_VECTORS");
  std::ifstream file{std::string{set != nullptr ? set : CORDON_VECTORS} + "/seccomp_verdicts.tsv"};
  REQUIRE_MESSAGE(file, "the verdict table is missing");
  std::vector<row> all;
  bool header = true;
  for (std::string text; std::getline(file, text);) {
    if (text.empty() || text[0] == '#') continue;
    if (std::exchange(header, false)) continue;
    const std::vector<std::string> cells = split(text, '\t');
    REQUIRE_MESSAGE(cells.size() >= 6, text);
    all.push_back({cells[0], cells[1], cells[2], cells[3], cells[4], cells[5], text});
  }
  return all;
}

/// The filter that sees calls of that ABI, and how such a call looks to it.
void put_machine(const std::string& machine, demand& d, data& in) {
  if (machine == "aarch64" || machine == "arm") d.cpu = arch::aarch64;
  if (machine == "riscv64") d.cpu = arch::riscv64;
  in.arch = audit_arch(d.cpu);
  if (machine == "i386") in.arch = 0x40000003;
  if (machine == "arm") in.arch = 0x40000028;
}

std::uint32_t number(const row& r, arch cpu) {
  if (r.name[0] == '#') return static_cast<std::uint32_t>(std::stoul(r.name.substr(1), nullptr, 0));
  const int found = number_of(cpu, r.name);
  REQUIRE_MESSAGE(found >= 0, r.whole);
  return static_cast<std::uint32_t>(found) | (r.machine == "x32" ? x32_bit : 0);
}

void put_mode(const std::string& words, demand& d) {
  for (const std::string& word : split(words, ' ')) {
    if (word == "strict") d.strict = true;
    else if (word.rfind("deny=", 0) == 0) {
      const int denied = number_of(d.cpu, word.substr(5));
      REQUIRE_MESSAGE(denied >= 0, word);
      d.denied.insert(static_cast<std::uint32_t>(denied));
    } else REQUIRE_MESSAGE(word == "inherit", word);
  }
}

std::string text_of(answer a) {
  if (a == pass) return "allow";
  if (a == kill_process) return "kill";
  return a == not_permitted ? "EPERM" : a == no_such_call ? "ENOSYS" : "errno " + std::to_string(a.error_number());
}

} // namespace

TEST_CASE("the verdict table") {
  const std::vector<row> all = rows();
  CHECK(all.size() >= 70);
  for (const row& r : all) {
    CAPTURE(r.whole);
    demand d;
    data in;
    d.network = d.connect = r.level == "network";
    put_machine(r.machine, d, in);
    put_mode(r.mode, d);
    in.nr = static_cast<std::int32_t>(number(r, d.cpu));
    if (r.args != "-")
      for (const std::string& word : split(r.args, ' ')) {
        REQUIRE((word.size() > 3 && word[0] == 'a' && word[1] >= '0' && word[1] < '6' && word[2] == '='));
        in.args[static_cast<std::size_t>(word[1] - '0')] = std::stoull(word.substr(3), nullptr, 0);
      }
    const std::string said = text_of(evaluate(compile(d).code(), in));
    if (r.verdict == "EPERM or kill") CHECK((said == "EPERM" || said == "kill"));
    else CHECK(said == r.verdict);
  }
}
