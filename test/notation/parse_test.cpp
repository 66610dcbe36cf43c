// SPDX-License-Identifier: BSL-1.0
#include <cordon/host/host.hpp>
#include <cordon/notation/literals.hpp>
#include <cordon/notation/print.hpp>
#include <cordon/policy/heap.hpp>
#include <cordon/policy/widen.hpp>

#include "holds.hpp"

#include <array>
#include <string>

namespace notation_parse_test {

using namespace cordon;

namespace {

constexpr diagnostic error_of(std::string_view text, notation::parse_context f = {}) {
  policy p;
  return notation::parse(text, p, f);
}
constexpr bool fails(std::string_view text, diagnostic_code code, std::uint32_t line, std::uint32_t column) {
  const diagnostic d = error_of(text);
  return d.code == code && d.line == line && d.column == column;
}

constexpr policy job = R"(
# what a build may do
level process_exec
run /usr
write "/srv/a b"            # a blank takes quotes
allow read,connect /run/x.sock
hide /usr/secret
workspace read /srv
network none
capabilities process.exec workspace.read_text
abilities spawn
syscalls strict
deny memfd_create
limit memory 512MiB
limit timeout 1.5h
pass PATH LC_*
set A=1 "B=x y"
remove LC_X
executables git make
interpreters no
)"_policy;

std::string printed(const auto& p) {
  std::string out;
  notation::print(p, [&](std::string_view piece) { out += piece; });
  return out;
}

template <class P> P parsed(const std::string& text) {
  P p;
  const diagnostic d = notation::parse(text, p);
  CAPTURE(text);
  CHECK(d.code == diagnostic_code::ok);
  return p;
}

} // namespace

TEST_CASE("notation: a constant sets every axis") {
  HOLDS(job.level == level::process_exec && job.profile == profile::worktree && job.fallback == fallback::enforce);
  HOLDS(job.files().size() == 4);
  HOLDS(job.files().lookup("/srv/a b/x") == verb::write.bits());
  HOLDS(job.files().lookup("/usr/secret/x") == 0);
  HOLDS(job.files().lookup("/run/x.sock") == (right::read | right::connect).bits());
  HOLDS(job.workspace().lookup("/srv/x") == verb::read.bits());
  HOLDS(job.hosts().is_none() && job.is_any<axis_id::sockets>());
  HOLDS(job.capabilities().lookup("process.exec") == 1 && job.capabilities().lookup("workspace.list") == 0);
  HOLDS(job.abilities == abilities(ability::spawn));
  HOLDS(job.syscalls == syscalls::strict && job.calls().lookup("memfd_create") == 0 && job.calls().lookup("read") == 1);
  HOLDS(job.limits[limit::memory] == 512u << 20 && job.limits[limit::timeout] == 5'400'000'000'000);
  HOLDS(job.environment().lookup("LC_ALL") == variable::passes && job.environment().lookup("LC_X") == variable::absent);
  HOLDS(job.environment()[job.environment().find("B")].payload == "x y");
  HOLDS(job.environment().lookup("HOME") == variable::absent);
  HOLDS(job.executables().lookup("git") == 1 && job.executables().lookup("sh") == 0 && !job.interpreters);
}

TEST_CASE("notation: an axis without a line is any") {
  constexpr policy p = ""_policy;
  HOLDS(p.level == level::network && p.profile == profile::worktree && p.interpreters);
  HOLDS(p.is_any<axis_id::files>() && p.is_any<axis_id::environment>() && p.is_any<axis_id::hosts>());
  HOLDS(p.abilities == abilities(ability::spawn));
  std::uint32_t said = 0;
  policy q;
  CHECK(notation::parse("run /usr\ninterpreters no\n", q, {}, &said).code == diagnostic_code::ok);
  CHECK(said == (1U << static_cast<unsigned>(axis::files) | 1U << static_cast<unsigned>(axis::guard)));
}

TEST_CASE("notation: errors have the code, line and column of the word") {
  HOLDS(fails("level none\nbogus x", diagnostic_code::unknown_key, 2, 1));
  HOLDS(fails("level", diagnostic_code::missing_key, 1, 1));
  HOLDS(fails("level foo", diagnostic_code::bad_value, 1, 7));
  HOLDS(fails("level none none", diagnostic_code::syntax, 1, 12));
  HOLDS(fails("level none\nlevel none", diagnostic_code::duplicate_key, 2, 1));
  HOLDS(fails("files any\nread /x", diagnostic_code::duplicate_key, 2, 1));
  HOLDS(fails("read /x\nfiles none", diagnostic_code::duplicate_key, 2, 1));
  HOLDS(fails("run /usr\n  read etc", diagnostic_code::bad_path, 2, 8));
  HOLDS(fails("read ~/x", diagnostic_code::bad_path, 1, 6));
  HOLDS(fails("read /x\nwrite /y\nrun /y/../x", diagnostic_code::duplicate_place, 3, 5));
  HOLDS(fails("executables a any b any", diagnostic_code::duplicate_place, 1, 21));
  HOLDS(fails("unix /run/x\nunix /run/y/../x", diagnostic_code::duplicate_place, 2, 6));
  HOLDS(fails("workspace read /x\nworkspace run /x/", diagnostic_code::duplicate_place, 2, 15));
  HOLDS(fails("read \"/x", diagnostic_code::syntax, 1, 6));
  HOLDS(fails("read \"/x\\q\"", diagnostic_code::bad_path, 1, 6));
  HOLDS(fails("allow read,fly /x", diagnostic_code::bad_value, 1, 7));
  HOLDS(fails("limit memory 5X", diagnostic_code::bad_limit, 1, 14));
  HOLDS(fails("limit memory 1B\nlimit memory 2B", diagnostic_code::duplicate_key, 2, 7));
  HOLDS(fails("limit fuel 1", diagnostic_code::unknown_key, 1, 7));
  HOLDS(fails("pass A=B", diagnostic_code::bad_value, 1, 6));
  HOLDS(fails("set A", diagnostic_code::bad_value, 1, 5));
  HOLDS(fails("set A*=1", diagnostic_code::bad_value, 1, 5));
  HOLDS(fails("remove A*B", diagnostic_code::bad_value, 1, 8));
  HOLDS(fails("capabilities any process.exec", diagnostic_code::syntax, 1, 18));
  HOLDS(fails("abilities spawn\nabilities none", diagnostic_code::duplicate_key, 2, 1));
  HOLDS(fails("network example.com", diagnostic_code::bad_value, 1, 9));
  HOLDS(fails("connect a..b", diagnostic_code::bad_pattern, 1, 9));
  HOLDS(fails("connect a b:0", diagnostic_code::bad_pattern, 1, 11));
  HOLDS(fails("refuse", diagnostic_code::missing_key, 1, 1));
  HOLDS(fails("network none\nconnect a", diagnostic_code::duplicate_key, 2, 1));
  HOLDS(fails("listen 80 x", diagnostic_code::bad_value, 1, 11));
  HOLDS(fails("loopback maybe", diagnostic_code::bad_value, 1, 10));
  HOLDS(fails("loopback yes\nloopback yes", diagnostic_code::duplicate_key, 2, 1));
  HOLDS(fails("sockets any\nlisten 1", diagnostic_code::duplicate_key, 2, 1));
  HOLDS(fails("sockets any\nsockets own", diagnostic_code::duplicate_key, 2, 1));
  HOLDS(fails("sockets own\nsockets none", diagnostic_code::duplicate_key, 2, 1));
  HOLDS(fails("sockets own\nsockets own", diagnostic_code::bad_value, 2, 9));
  HOLDS(fails("sockets own own", diagnostic_code::bad_value, 1, 13));
  HOLDS(fails("sockets \"own\"", diagnostic_code::bad_value, 1, 9));
  HOLDS(fails("network own", diagnostic_code::bad_value, 1, 9));
  HOLDS(fails("files own", diagnostic_code::bad_value, 1, 7));
  HOLDS(fails("unix a", diagnostic_code::bad_path, 1, 6));
  HOLDS(fails("unix /a\nunix /a", diagnostic_code::duplicate_place, 2, 6));
  HOLDS(fails("executables \"a\\x00\"", diagnostic_code::bad_value, 1, 13));
  HOLDS(fails("read \"/x\"y", diagnostic_code::syntax, 1, 6));
  HOLDS(fails("read \"/x\n\nlevel none", diagnostic_code::syntax, 1, 6)); // no quotation goes beyond its line
  HOLDS(fails("read \"/\\x0g\"", diagnostic_code::bad_path, 1, 6));
  HOLDS(fails("read \"/\\xg0\"", diagnostic_code::bad_path, 1, 6));
  HOLDS(fails("read glob:/srv/*", diagnostic_code::bad_path, 1, 6)); // the caller expands no patterns
  HOLDS(error_of("read glob:/srv/*", {.has_globs = true}).code == diagnostic_code::ok);
  HOLDS(fails("read /a\npreset user_temp", diagnostic_code::unknown_key, 2, 1)); // a constant knows no home
  HOLDS(fails("drop preset user_temp", diagnostic_code::unknown_key, 1, 1));
  HOLDS(fails("read /a\npublish 8080", diagnostic_code::unknown_key, 2, 1)); // nor runs programs
  HOLDS(error_of("read glob:srv/*", {.has_globs = true}).code ==
        diagnostic_code::bad_path); // a pattern needs an absolute path
}

TEST_CASE("notation: the longest path fits, a longer one is an error") {
  constexpr auto line = [](std::size_t size) {
    std::array<char, path::longest + 16> text{'r', 'e', 'a', 'd', ' '};
    for (std::size_t i = 0; i < size; ++i) text[5 + i] = i % 200 == 0 ? '/' : 'a';
    return text;
  };
  constexpr auto fits = line(path::longest), too_long = line(path::longest + 1), far_too_long = line(path::longest + 9);
  HOLDS(!fails({fits.data(), 5 + path::longest}, diagnostic_code::bad_path, 1, 6));
  HOLDS(fails({too_long.data(), 6 + path::longest}, diagnostic_code::bad_path, 1, 6));
  HOLDS(fails({far_too_long.data(), 14 + path::longest}, diagnostic_code::bad_path, 1, 6));
}

TEST_CASE("notation: an unknown denied call is an error if the context knows the calls") {
  constexpr notation::parse_context knows{{}, {}, nullptr, [](std::string_view name) { return name == "ptrace"; }};
  HOLDS(error_of("deny ptrace", knows).code == diagnostic_code::ok);
  HOLDS(error_of("files any\ndeny ptrace ptrcae", knows).code == diagnostic_code::unknown_call);
  HOLDS(error_of("files any\ndeny ptrace ptrcae", knows).line == 2);
  HOLDS(error_of("files any\ndeny ptrace ptrcae", knows).column == 13);
  HOLDS(error_of("deny ptrcae").code == diagnostic_code::ok);
  HOLDS(error_of("deny PTRACE").code == diagnostic_code::bad_value);
}

TEST_CASE("notation: paths are relative to the base, and ~ is the home") {
  constexpr policy p = [] {
    policy q;
    (void)notation::parse("read src\nwrite ~/x", q, {"/srv/job", "/home/u"});
    return q;
  }();
  HOLDS(p.files().lookup("/srv/job/src/a") == verb::read.bits());
  HOLDS(p.files().lookup("/home/u/x") == verb::write.bits());
}

TEST_CASE("notation: printing and parsing give the same policy and the same bytes") {
  for (const std::string& text :
       {printed(job), printed(nothing()), printed(unconfined(widening::all_axes{})), std::string(),
        std::string("read \"/a\\\"b\\\\c\\x01\"\nset \"A=\"\npass *\nremove X\n"),
        std::string("environment none\nexecutables none\nfiles none\nworkspace any\nnetwork any\n")}) {
    CAPTURE(text);
    const policy p = parsed<policy>(text);
    const std::string once = printed(p);
    CHECK(parsed<policy>(once) == p);
    CHECK(printed(parsed<policy>(once)) == once);
    CHECK(printed(parsed<loaded_policy>(once)) == once);
  }
}

TEST_CASE("notation: a printed policy parses to the same policy") {
  for (const policy& p :
       {job, unconfined(widening::all_axes{}), "refuse a.example\n"_policy,
        "connect example.com:443 *.org\nrefuse gist.example.com\n"_policy, "network none\nfiles none\n"_policy,
        "interpreters no\nexecutables none\nenvironment none\nabilities none\nsockets none\n"_policy}) {
    const std::string text = printed(p);
    CAPTURE(text);
    CHECK(parsed<policy>(text) == p);
  }
}

TEST_CASE("notation: a text reports its axes, also if it only denies") {
  constexpr auto said = [](std::string_view text, axis a) {
    policy p;
    std::uint32_t bits = 0;
    (void)notation::parse(text, p, {}, &bits);
    return bits == 1U << static_cast<unsigned>(a);
  };
  HOLDS(said("refuse a", axis::hosts));
  HOLDS(said("connect a", axis::hosts));
  HOLDS(said("deny chmod", axis::syscalls));
  HOLDS(said("interpreters no", axis::guard));
  HOLDS(said("remove A", axis::environment));
  HOLDS(said("hide /x", axis::files));
  HOLDS(said("workspace hide /x", axis::workspace));
}

TEST_CASE("notation: a removed variable is absent, though other lines pass or set it") {
  constexpr policy p = "pass A* B\nset AB=1\nremove A*\n"_policy;
  HOLDS(p.environment().lookup("A") == variable::absent);
  HOLDS(p.environment().lookup("AB") == variable::absent);
  HOLDS(p.environment().lookup("AC") == variable::absent);
  HOLDS(p.environment().lookup("B") == variable::passes);
}

TEST_CASE("notation: the last line that sets a variable holds, also if others pass it") {
  constexpr policy p = "pass A*\nset AB=1 AC=5\nset AB=22\nset AB=3\nset \"AD=\"\n"_policy;
  const auto content = [&](std::string_view name) {
    const entry e = p.environment().at(p.environment().find(name));
    return variable::is_set(e.value) ? e.payload : std::string_view("passes");
  };
  CHECK(content("AB") == "3");
  CHECK(content("AC") == "5");
  CHECK(content("AD").empty());
  CHECK(content("AE") == "passes");
}

TEST_CASE("notation: lists of hosts") {
  constexpr policy some = "connect example.com:443 *.org\nconnect 10.0.0.0/8\nrefuse gist.example.com\n"_policy;
  HOLDS(host::decide(some.hosts(), host::parse_requested_host("a.example.com")).allowed());
  HOLDS(!host::decide(some.hosts(), host::parse_requested_host("a.example.com:80")).allowed());
  HOLDS(!host::decide(some.hosts(), host::parse_requested_host("x.gist.example.com")).allowed());
  HOLDS(host::decide(some.hosts(), host::parse_requested_host("a.org:80")).allowed());
  HOLDS(host::decide(some.hosts(), host::parse_requested_host("10.1.2.3:80")).allowed());
  HOLDS("connect b a\n"_policy == "connect a\nconnect b\n"_policy);
  constexpr policy but = "refuse a\n"_policy;
  HOLDS(host::decide(but.hosts(), host::parse_requested_host("b")).allowed());
  HOLDS(!host::decide(but.hosts(), host::parse_requested_host("x.a")).allowed());
  HOLDS(but == "network any\nrefuse a\n"_policy);
  HOLDS("network none\nrefuse a\n"_policy.hosts().is_none());
  constexpr policy names = "connect none any\n"_policy;
  HOLDS(host::decide(names.hosts(), host::parse_requested_host("none")).allowed());
  HOLDS(!names.hosts().is_any());
}

TEST_CASE("notation: lists of sockets") {
  constexpr policy some = "listen 8080 8000-8079\nloopback yes\nunix /run/x.sock\n"_policy;
  HOLDS(host::port_grant_of(some.sockets().at(some.sockets().find(sockets::listening))).allowed.size() == 1);
  HOLDS(some.sockets().lookup(sockets::loopback) == 1);
  HOLDS(some.sockets().lookup("/run/x.sock") == 1);
  HOLDS(some.sockets().lookup("/run/y.sock") == 0);
  HOLDS("loopback no\n"_policy.sockets().empty());
  constexpr policy met = "listen 1-100\n"_policy & "listen 50-200\nunix /a\n"_policy;
  HOLDS(met.sockets() == "listen 50-100\n"_policy.sockets());
}

TEST_CASE("notation: sockets of the run's own lie between none and any, apart from the machine's") {
  constexpr policy own = "sockets own\n"_policy, none = "sockets none\n"_policy, any = "sockets any\n"_policy;
  constexpr policy listed = "listen 80\nloopback yes\nunix /run/s\n"_policy,
                   both = "sockets own\nlisten 80\nloopback yes\nunix /run/s\n"_policy;
  HOLDS(none <= own && own <= any && !(own <= none) && !(any <= own));
  HOLDS((own & any) == own && (own & none) == none && (own & listed).sockets().empty());
  HOLDS(!(own <= listed) && !(listed <= own) && own <= both && listed <= both && (both & own) == own);
  HOLDS(own.sockets().lookup(sockets::own) == 1 && any.sockets().lookup(sockets::own) == 1);
  HOLDS(own.sockets().lookup(sockets::loopback) == 0 && own.sockets().lookup("/own") == 0);
}

TEST_CASE("notation: parse returns a policy or the first error") {
  HOLDS(*notation::parse<policy>("run /usr") == "run /usr"_policy);
  HOLDS(notation::parse<policy>("run /usr\nreed /").error() == diagnostic{diagnostic_code::unknown_key, 2, 1, "reed"});
  HOLDS(*notation::parse<policy>("read x", {"/srv", {}}) == "read /srv/x"_policy);
  const auto loaded = notation::parse<loaded_policy>("run /usr");
  CHECK(*loaded == "run /usr"_policy);
  CHECK(loaded.and_then([](const loaded_policy& p) { return meet(p, p); }).value_or(loaded_policy()) == *loaded);
}

TEST_CASE("notation: a text is parsed into a policy as default-constructed alone") {
  loaded_policy p;
  CHECK(notation::parse("run /usr", p).code == diagnostic_code::ok);
  CHECK(notation::parse("write /usr", p).code == diagnostic_code::not_empty);
  CHECK(p == "run /usr"_policy);
}

} // namespace notation_parse_test
