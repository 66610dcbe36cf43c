// SPDX-License-Identifier: BSL-1.0
/// The law of `only`: a text that starts with it means what policy_of means of the same clauses.
#include "../holds.hpp"

#include <cordon.hpp>
#include <cordon/notation/literals.hpp>
#include <cordon/notation/print.hpp>
#include <cordon/policy/heap.hpp>

#include <string>

namespace notation_only_test {

using namespace cordon;
using namespace cordon::dsl;
using namespace cordon::literals;

namespace {

constexpr diagnostic error_of(std::string_view text) {
  policy p;
  return notation::parse(text, p);
}

constexpr std::uint32_t said(std::string_view text) {
  policy p;
  std::uint32_t bits = 0;
  (void)notation::parse(text, p, {}, &bits);
  return bits;
}

} // namespace

TEST_CASE("only: each axis means what policy_of means") {
  HOLDS("only"_policy == policy_of({}));
  HOLDS("only\nrun /usr\nwrite /srv\nhide /srv/x\nread /srv/x/y"_policy ==
        policy_of({can_run("/usr"), can_write("/srv"), hidden("/srv/x"), can_read("/srv/x/y")}));
  HOLDS("only\nallow read,connect /run/x"_policy == policy_of({grant("/run/x", right::read | right::connect)}));
  HOLDS("only\nconnect a.org *.b.org:443"_policy == policy_of({can_connect("a.org"), can_connect("*.b.org:443")}));
  HOLDS("only\nconnect a.org\nrefuse x.a.org"_policy == policy_of({can_connect("a.org"), cannot_connect("x.a.org")}));
  HOLDS("only\nrefuse a.org"_policy == policy_of({cannot_connect("a.org")}));
  HOLDS("only\nlisten 80 8000-8999\nloopback yes\nunix /run/s"_policy ==
        policy_of({can_listen("80"), can_listen("8000-8999"), can_use_loopback(), can_use_socket("/run/s")}));
  HOLDS("only\nabilities trace clock"_policy == policy_of({can_use(ability::trace), can_use(ability::clock)}));
  HOLDS("only\ndeny memfd_create"_policy == policy_of({cannot_call("memfd_create")}));
  HOLDS("only\npass PATH LC_*\nset A=x"_policy == policy_of({passes("PATH"), passes("LC_*"), sets("A", "x")}));
  HOLDS("only\nexecutables git /usr/bin/cc"_policy == policy_of({can_start("git"), can_start("/usr/bin/cc")}));
}

TEST_CASE("only: all clauses together mean what policy_of means") {
  HOLDS(
      "# a comment\n\nonly # and nothing else\nrun /usr\nconnect a.org\nlisten 80\nabilities spawn\ndeny bpf\npass A\n"
      "executables git"_policy ==
      policy_of({can_run("/usr"), can_connect("a.org"), can_listen("80"), can_use(ability::spawn), cannot_call("bpf"),
                 passes("A"), can_start("git")}));
}

TEST_CASE("only: a line of the level, of the workspace or of interpreters wins") {
  HOLDS("only\nconnect a.org\nlevel read_only"_policy.level == level::read_only);
  HOLDS("only\nlevel network"_policy.level == level::network);
  HOLDS("only\nnetwork any"_policy.level == level::network);
  HOLDS("only\nnetwork none"_policy.level == level::process_exec);
  HOLDS("only\nread /a\nworkspace write /b"_policy.files().lookup("/b") == 0);
  HOLDS("only\nread /a\nworkspace write /b"_policy.workspace().lookup("/a") == 0);
  HOLDS("only\nworkspace write /b"_policy.files().empty());
  HOLDS("only\nread /a\nworkspace none"_policy.workspace().empty());
  HOLDS("only\nfiles any"_policy.is_any<axis_id::workspace>());
  HOLDS("only"_policy.interpreters && !"only\ninterpreters no"_policy.interpreters);
  HOLDS("only\nlimit memory 1MiB"_policy.limits[limit::memory] == 1 << 20);
}

TEST_CASE("only: the text says every axis, so that no other policy fills one in") {
  HOLDS(said("only") == (1U << 13) - 1);
  HOLDS(said("read /a") != (1U << 13) - 1);
}

TEST_CASE("only: anywhere else is an error with its position") {
  HOLDS(error_of("read /a\nonly") == diagnostic{diagnostic_code::syntax, 2, 1, "only"});
  HOLDS(error_of("only\nonly") == diagnostic{diagnostic_code::syntax, 2, 1, "only"});
  HOLDS(error_of("only read") == diagnostic{diagnostic_code::syntax, 1, 6, "read"});
  HOLDS(error_of("only\nread /a\nread /a").code == diagnostic_code::duplicate_place);
  HOLDS(error_of("only\nread /a\nread /a").line == 3);
}

TEST_CASE("only: the printer never writes it") {
  std::string out;
  notation::print("only\nrun /usr"_policy, [&](std::string_view piece) { out += piece; });
  CHECK(out.find("only") == out.npos);
  loaded_policy again;
  CHECK(notation::parse(out, again).code == diagnostic_code::ok);
  CHECK(again == "only\nrun /usr"_policy);
}

TEST_CASE("only: a pattern of paths applies to both path axes") {
  constexpr auto count = [](std::string_view text, axis_id wanted) {
    int n = 0;
    notation::each_glob(text, {"/srv", "/home/u", nullptr, nullptr, true},
                        [&](axis_id axis, rights, std::string_view) { n += axis == wanted; });
    return n;
  };
  HOLDS(count("only\nhide glob:*.pem", axis_id::workspace) == 1);
  HOLDS(count("only\nhide glob:*.pem", axis_id::files) == 1);
  HOLDS(count("hide glob:*.pem", axis_id::workspace) == 0);
  HOLDS(count("only\nhide glob:*.pem\nworkspace any", axis_id::workspace) == 0);
  HOLDS(count("only\nunix glob:*.sock", axis_id::sockets) == 1);
}

} // namespace notation_only_test
