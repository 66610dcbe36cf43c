// SPDX-License-Identifier: BSL-1.0
/// Findings in the arguments of a run, and their effect.
#include "running.hpp"

#include <cordon/host/host.hpp>

#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>

namespace linux_guard_run_test {

using namespace cordon;
using namespace runs;

TEST_SUITE("run") {

  TEST_CASE("guard_run: the report has the guard's finding; mode refuse denies the start") {
    const place s;
    format::document d = s.document();
    d.workspace.emplace();
    d.workspace->push_back({s.top.string(), verb::write});
    run_request r = s.shell("", d);
    r.argv = {"/bin/cat", "../../root/none", "/dev/null"};
    const report told = run(r);
    CHECK(told.ended.how == ending::exited);
    CHECK(told.guard.code == guard_code::path_leaves_workspace);
    CHECK(told.guard.argument == 1);
    r.guard = guard_mode::refuse;
    CHECK(run(r).ended.why.find("../../root/none") != std::string::npos);
    r.argv = {"/bin/cat", "/dev/null"};
    CHECK(run(r).ended.how == ending::exited);
  }

  TEST_CASE("guard_run: a link out of the granted directories is a finding, a link inside them is not") {
    const place s;
    std::filesystem::create_symlink("/root/.ssh", s.top / "out");
    std::filesystem::create_symlink("kept", s.top / "in");
    std::filesystem::create_symlink("/root/not/there", s.top / "a dangling one");
    std::ofstream(s.top / "kept") << "x";
    run_request r = s.shell("", s.document());
    const auto found = [&](std::string argument) {
      r.argv = {"/bin/echo", std::move(argument)};
      return run(r).guard.code;
    };
    for (const char* out : {"out", "./out/id", "--from=out", "@out/id", "a dangling one", "-xf/root", "-tout"})
      CHECK((found(out) == guard_code::path_leaves_workspace && out != nullptr));
    for (const char* in :
         {"in", "kept", "none", "-Isrc/none", "in/../kept", "/bin/sh", "/dev/stdin", "-xf/nothing/here"})
      CHECK((in != nullptr && found(in) == guard_code::ok));
    r.guard = guard_mode::refuse;
    CHECK(found("in") == guard_code::ok);
    CHECK(run(r).ended.how == ending::exited);
    CHECK(found("out") == guard_code::path_leaves_workspace);
    CHECK(run(r).ended.how == ending::refused);
  }

  TEST_CASE("guard_run: readable paths and code for a permitted shell are no findings") {
    const place s;
    run_request r = s.shell("true", s.document());
    r.guard = guard_mode::refuse;
    CHECK(run(r).ended.how == ending::exited);
    r.argv = {"/bin/cat", "/usr/../usr/bin/env", "/root"};
    CHECK(run(r).guard.argument == 2);
    r.argv.pop_back();
    CHECK(run(r).ended.how == ending::exited);
    format::document listed = s.document();
    listed.executables = std::vector<std::string>{"/bin/sh"};
    r = s.shell("true", listed);
    CHECK(run(r).guard.code == guard_code::inline_code_refused);
  }

  TEST_CASE("guard_run: a program that the policy does not list is refused in every guard mode") {
    const place s;
    format::document d = s.document();
    d.executables = std::vector<std::string>{"cat", "env"};
    d.interpreters = false;
    run_request r = s.shell("", d);
    for (const guard_mode mode : {guard_mode::report, guard_mode::refuse}) {
      r.guard = mode;
      r.argv = {"cat", "/dev/null"};
      CHECK(run(r).ended.how == ending::exited);
      r.argv = {"env", "touch", s.at("made")};
      report told = run(r);
      CHECK(told.ended.how == ending::refused);
      CHECK(told.guard.code == guard_code::executable_refused);
      CHECK(told.guard.argument == 1);
      d.executables = std::vector<std::string>{"sh"};
      run_request of_shell = s.shell(": > made", d);
      of_shell.argv[0] = "sh", of_shell.guard = mode;
      told = run(of_shell);
      CHECK(told.ended.how == ending::refused);
      CHECK(told.guard.code == guard_code::interpreter_refused);
      CHECK(!std::filesystem::exists(s.top / "made"));
    }
  }

  TEST_CASE("guard_run: the egress mode decides whether a host in the arguments is refused") {
    const place s;
    format::document d = s.document();
    d.network.emplace(); // none
    run_request r = s.shell("", d);
    for (const bool names_host : {false, true}) {
      r.argv = {"/bin/echo", names_host ? "https://example.com/x" : "a plain word"};
      for (const egress_mode mode : {egress_mode::none, egress_mode::preflight, egress_mode::strict}) {
        CAPTURE(name(launcher_id::automatic));
        r.egress = mode;
        CHECK((run(r).ended.how == ending::refused) == (names_host && mode != egress_mode::none));
      }
    }
    r.asked.backend = launcher_id::none;
    r.asked.allow = "1";
    r.argv = {"/bin/echo", "a plain word"};
    r.egress = egress_mode::preflight;
    CHECK(run(r).ended.how == ending::exited);
    r.egress = egress_mode::strict;
    CHECK(run(r).ended.why.starts_with("egress strict"));
  }

  TEST_CASE("guard_run: the reason names the refused host, whichever argument or check it came from") {
    const place s;
    format::document d = s.document();
    auto& allowed = d.network.emplace().allowed;
    allowed.add(host::parse("example.com"));
    CHECK(allowed.close().code == diagnostic_code::ok);
    run_request r = s.shell("", d);
    r.guard = guard_mode::refuse;
    r.argv = {"/bin/echo", "https://Gist.example/x"};
    const std::string gist = "host Gist.example is not in allowed_domains";
    report told = run(r);
    CHECK(told.guard_reason == gist);
    CHECK(told.ended.why == "the guard refuses https://Gist.example/x: " + gist);
    r.guard = guard_mode::report;
    const auto why = [&](std::vector<std::string> argv, std::vector<std::string> requested = {}) {
      r.argv = std::move(argv), r.requested_hosts = std::move(requested);
      return run(r).ended.why;
    };
    for (const egress_mode mode : {egress_mode::preflight, egress_mode::strict}) {
      r.egress = mode;
      r.policy.level = level::network;
      CHECK(why({"/bin/echo", "https://Gist.example/x"}) == "the guard refuses https://Gist.example/x: " + gist);
      CHECK(why({"curl", "-s", "Gist.example"}).ends_with(gist));
      CHECK(why({"/bin/echo"}, {"example.com", "Gist.example:80"}) == "a requested host is refused: " + gist);
      CHECK(why({"/bin/echo"}, {"a\x1b.b"}).find("host a\\x1b.b is invalid") != std::string::npos);
      CHECK(why({"/bin/echo", "ftp://example.com"}).find("only http and https") != std::string::npos);
      CHECK(why({"/bin/echo", "https://example.com"}, {"example.com", "https://a.example.com/x"}).empty());
      r.policy.level = level::process_exec;
      CHECK(
          why({"/bin/echo"}, {"example.com"}) ==
          "a requested host is refused: host example.com is not in allowed_domains: level process_exec has no network");
    }
    r.egress = egress_mode::none;
    CHECK(why({"/bin/echo"}, {"Gist.example"}).empty());
  }
} // TEST_SUITE

} // namespace linux_guard_run_test
