// SPDX-License-Identifier: BSL-1.0
/// The launcher for Windows, on Windows or under wine. Wine has no AppContainer and reports success for much that it
/// does not do: the launcher must detect each such case. What wine has (handles, jobs, groups of tokens) is tested with
/// the steps that need it.
#include "../dice.hpp"
#include "made_up.hpp"
#include "running.hpp"

#include <filesystem>

using namespace cordon::windows_shim;
using namespace windows_tests;

namespace {

/// Refused at that step, and the program has not run.
void refused(const std::vector<stage>& steps, std::wstring_view at, const profile_calls& by) {
  const std::filesystem::path mark = std::filesystem::temp_directory_path() / "cordon-mark";
  std::filesystem::remove(mark);
  const launched l = launch(child({L"touch", mark.wstring()}), usual(), steps, by);
  CHECK(!l);
  CHECK(std::wstring(l.why.at) == std::wstring(at));
  CHECK(l.why.error != 0);
  ::Sleep(50);
  CHECK(!std::filesystem::exists(mark));
}

} // namespace

TEST_SUITE("windows launch") {

  TEST_CASE("windows launch: without AppContainer, the launch fails in stage profile") {
    const profile_calls real = profile_calls::of_system();
    if (real.create != nullptr) {
      MESSAGE("skipped: a system without CreateAppContainerProfile");
      return;
    }
    const launched l = launch(child({L"exit", L"0"}), usual());
    CHECK(!l);
    CHECK(std::wstring(l.why.at) == L"profile");
    CHECK(l.why.error == ERROR_PROC_NOT_FOUND);
  }

  TEST_CASE("windows launch: a profile is made first and removed last, and an existing one is not reused") {
    const profile_calls by = made_up::all();
    const auto steps =
        with({L"profile", L"list", L"process", L"see container"}); // the container cannot be verified here
    refused(steps, L"see container", by);
    CHECK(made_up::calls == std::vector<std::wstring>{L"create cordon.test", L"remove cordon.test"});

    made_up::all();
    made_up::taken = {L"cordon.test"};
    refused(steps, L"see container", by);
    REQUIRE(made_up::calls.size() == 3);
    const std::wstring name = made_up::calls[1].substr(7);
    CHECK(name.starts_with(L"cordon."));
    CHECK(name.size() == 7 + 32);
    CHECK(made_up::calls[2] == L"remove " + name);

    made_up::all();
    made_up::gives_sid = false; // it only reports success
    refused(steps, L"profile", by);
    CHECK(made_up::calls.back() == L"remove cordon.test");

    for (const profile_calls& less :
         {profile_calls{nullptr, made_up::remove, nullptr}, profile_calls{made_up::create, nullptr, nullptr}}) {
      made_up::all();
      refused(steps, L"profile", less);
      CHECK(made_up::calls.empty());
    }
    CHECK(random_container_name() != random_container_name());
  }

  TEST_CASE("windows launch: capabilities are passed to the container, and each failed stage is reported") {
    const profile_calls by = made_up::all();
    confinement how = usual();
    how.capabilities = {L"S-1-15-3-1", L"S-1-15-3-3"};
    std::vector<stage> steps = with({L"profile", L"capabilities"});
    steps.push_back({L"look", [](init_setup& u) -> DWORD {
                       const bool good = u.capabilities.AppContainerSid == u.own.sid() && u.own.sid() != nullptr &&
                                         u.capabilities.CapabilityCount == 2 &&
                                         (u.capabilities.Capabilities[1].Attributes & SE_GROUP_ENABLED) != 0;
                       return good ? 1 : 2;
                     }});
    CHECK(launch(child({}), how, steps, by).why.error == 1);
    how.capabilities.push_back(L"nonsense");
    CHECK(std::wstring(launch(child({}), how, steps, by).why.at) == L"capabilities");
    // For steps that report success here without effect, an omission cannot be detected. So check the list of steps
    // itself.
    std::wstring names;
    for (const stage& s : stages()) names += std::wstring(s.name) + L"; ";
    CHECK(names == L"profile; files; capabilities; token; integrity; job; list; container; packages policy; child "
                   L"policy; handles; "
                   L"job list; process; see container; see packages policy; see child policy; see integrity; see "
                   L"privileges; see groups; see job; see limits; "
                   L"resume; ");
  }

  TEST_CASE("windows launch: a missing facility fails its stage") {
    const profile_calls by = made_up::all();
    refused(without({}), L"container", by);
    refused(without({L"container"}), L"packages policy", by);
  }

  TEST_CASE("windows launch: a call without effect is detected before the program runs") {
    const profile_calls by = made_up::all();
    refused(without({L"container", L"packages policy"}), L"see container", by);
    // Leave out one step after the other.
    std::vector<std::wstring_view> gone{L"container", L"packages policy"};
    for (const wchar_t* step : {L"see container", L"see packages policy", L"see child policy", L"see integrity",
                                L"see privileges", L"see limits"}) {
      std::vector<stage> left;
      for (const stage& one : stages())
        if (std::find(gone.begin(), gone.end(), one.name) == gone.end()) left.push_back(one);
      refused(left, step, by);
      gone.emplace_back(step);
    }
    // And leave out the steps that set them too.
    refused(without({L"profile", L"capabilities", L"token", L"container", L"packages policy", L"see container",
                     L"see integrity", L"see privileges", L"see packages policy", L"see child policy"}),
            L"see groups", by);
    refused(without({L"container", L"packages policy", L"job list", L"see container", L"see integrity",
                     L"see privileges", L"see limits", L"see packages policy", L"see child policy"}),
            L"see job", by);
  }

  TEST_CASE("windows launch: exit codes are reported in full") {
    for (const DWORD code : {0UL, 1UL, 7UL, 125UL, 259UL, 0xC0000005UL, 0xFFFFFFFFUL}) {
      const finished e = run(child({L"exit", std::to_wstring(code)}));
      CHECK(e.status == code);
    }
  }

  TEST_CASE("windows launch: arguments with quotes and backslashes reach the child unchanged") {
    constexpr std::wstring_view letters = L"ab \t\"\\\\\\\"'%^&|<>!\u00E9\u65E5\uFFFD*?";
    dice d(9);
    int lists = 0;
    for (; lists < 200; ++lists) {
      std::vector<std::wstring> arguments{L"args"};
      for (std::uint32_t n = d.below(8); n > 0; --n) {
        std::wstring a;
        for (std::uint32_t k = d.below(12); k > 0; --k) a += letters[d.below(letters.size())];
        arguments.push_back(a);
      }
      std::string wanted;
      for (std::size_t i = 1; i < arguments.size(); ++i) wanted += hex(arguments[i]);
      CHECK(run(child(arguments)).output == wanted);
    }
    CHECK(lists == 200);
  }

  TEST_CASE("windows launch: scripts of cmd.exe are not started") {
    command what = child({});
    what.program = L"C:\\x\\tool.BAT";
    CHECK(launch(what, usual(), what_wine_does()).why.error == ERROR_BAD_EXE_FORMAT);
  }

  TEST_CASE("windows launch: the child gets the given environment alone") {
    ::SetEnvironmentVariableW(L"CORDON_SECRET", L"x");
    command what = child({L"env"});
    what.environment.push_back(L"zeta=1");
    what.environment.push_back(L"Alpha=a=b \u65E5");
    what.environment.push_back(L"ALPHA=second");
    const std::string told = run(what).output;
    CHECK(told.find(hex(L"ALPHA=second")) != std::string::npos);
    CHECK(told.find(hex(L"zeta=1")) != std::string::npos);
    CHECK(told.find(hex(L"Alpha=a=b \u65E5")) == std::string::npos);
    CHECK(told.find(hex(L"CORDON_SECRET=x")) == std::string::npos);
  }

  TEST_CASE("windows launch: the program inherits kept handles alone") {
    channel given, other;
    for (const HANDLE h : {given.theirs.get(), other.theirs.get()})
      ::SetHandleInformation(h, HANDLE_FLAG_INHERIT, HANDLE_FLAG_INHERIT); // as a careless library does
    const auto number = [](const handle& h) { return std::to_wstring(reinterpret_cast<std::uintptr_t>(h.get())); };
    command what = child({L"write", number(given.theirs), number(other.theirs)});
    what.keep = {given.theirs.get()};
    const finished e = run(what);
    CHECK(e.output == "written\nnot written\n");
    CHECK(given.all() == "x");
    CHECK(other.all() == "");
    // The control: without a list, the child inherits both.
    std::vector<stage> steps = what_wine_does();
    for (stage& one : steps)
      if (one.name == L"handles")
        one.act = [](init_setup& u) -> DWORD {
          u.inherited = {u.what.stdio[1]};
          return ::SetHandleInformation(u.what.stdio[1], HANDLE_FLAG_INHERIT, HANDLE_FLAG_INHERIT) != FALSE ? 0 : 1;
        };
    channel third, fourth;
    for (const HANDLE h : {third.theirs.get(), fourth.theirs.get()})
      ::SetHandleInformation(h, HANDLE_FLAG_INHERIT, HANDLE_FLAG_INHERIT);
    CHECK(run(child({L"write", number(third.theirs), number(fourth.theirs)}), steps).output == "written\nwritten\n");
  }

  TEST_CASE("windows launch: closing the job ends grandchildren") {
    channel out;
    command what = child({L"parent"});
    what.stdio[1] = out.theirs.get();
    DWORD grandchild = 0;
    {
      const auto steps = what_wine_does();
      launched l = launch(what, usual(), steps);
      REQUIRE(l);
      out.theirs = {};
      char text[32]{};
      DWORD n = 0;
      REQUIRE(::ReadFile(out.ours.get(), text, sizeof text - 1, &n, nullptr) != FALSE);
      grandchild = static_cast<DWORD>(std::strtoul(text, nullptr, 10));
      REQUIRE(grandchild != 0);
      CHECK(is_running(grandchild));
      CHECK(is_running(l.pid));
    }
    for (int i = 0; i < 100 && is_running(grandchild); ++i) ::Sleep(20);
    CHECK(!is_running(grandchild));
  }

} // TEST_SUITE
