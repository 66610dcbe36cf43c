// SPDX-License-Identifier: BSL-1.0
/// What programs write, and the tree behind them; and from rules to a launch.
#include "child.hpp"

#include <cordon/heap.hpp>
#include <windows/capture.hpp>
#include <windows/prepared.hpp>

#include <doctest/doctest.h>

using namespace cordon::windows_shim;
using namespace windows_tests;

namespace {

ended capture(std::vector<std::wstring> arguments, DWORD milliseconds,
              cordon::excerpt_size keep = {cordon::excerpt_size::everything, 0}) {
  pipe_ends out = pipe_ends::make(), err = pipe_ends::make();
  command what = child(std::move(arguments));
  what.stdio = {nullptr, out.theirs.get(), err.theirs.get()};
  const auto steps = what_wine_does();
  launched l = launch(what, usual(), steps);
  REQUIRE(l);
  out.theirs = {}, err.theirs = {};
  return wait_for(std::move(l), std::move(out.ours), std::move(err.ours), keep, milliseconds);
}

} // namespace

TEST_SUITE("windows capture") {

  TEST_CASE("much on both streams at once, and nothing waits for anything") {
    const ended e = capture({L"flood", L"3000000"}, 60'000);
    CHECK(!e.timed_out);
    CHECK(e.status == 7);
    CHECK(e.output.written() == 3'000'000);
    CHECK(e.error.written() == 3'000'000);
    CHECK(e.output.text() == std::string(3'000'000, 'o'));
    const ended less = capture({L"flood", L"3000000"}, 60'000, {100, 100});
    CHECK(less.output.head() == std::string(100, 'o'));
    CHECK(less.error.tail() == std::string(100, 'e'));
    CHECK(less.error.left_out() == 3'000'000 - 200);
  }

  TEST_CASE("a grandchild that holds the pipes holds nobody up, and is gone") {
    const ended late = capture({L"parent"}, 1500); // which waits for a minute
    CHECK(late.timed_out);
    const DWORD of_late = static_cast<DWORD>(std::strtoul(late.output.text().c_str(), nullptr, 10));
    CHECK(of_late != 0);
    CHECK(!is_running(of_late));
    const ended gone = capture({L"leave"}, 60'000); // which does not
    CHECK(!gone.timed_out);
    CHECK(gone.status == 3);
    CHECK(!is_running(static_cast<DWORD>(std::strtoul(gone.output.text().c_str(), nullptr, 10))));
  }

  TEST_CASE("rules and a launch") {
    using namespace cordon;
    loaded_policy p;
    p.level = level::network;
    REQUIRE(p.write_any<part::hosts>().code == errc::ok);
    p.limits.set(limit::memory, 64 << 20);
    const auto made = appcontainer::compile(p, {.drive = 'C'});
    const confinement how = confinement_of(made.rules, L"n");
    CHECK(how.name == L"n");
    CHECK(how.capabilities == std::vector<std::wstring>{L"S-1-15-3-1"});
    CHECK(how.less_privileged);
    CHECK(how.limits.memory == 64 << 20);
    REQUIRE(p.write_any<part::sockets>().code == errc::ok);
    CHECK(confinement_of(appcontainer::compile(p, {.drive = 'C'}).rules, L"n").capabilities.size() == 2);
    using list = std::vector<std::wstring>;
    CHECK(
        with_folder({L"TEMP=C:\\Temp", L"A=1"}, L"C:\\c", L"C:\\Windows") ==
        list{L"TEMP=C:\\Temp", L"A=1", L"SystemRoot=C:\\Windows", L"LOCALAPPDATA=C:\\c", L"TEMP=C:\\c", L"TMP=C:\\c"});
    CHECK(with_folder({}, L"", L"C:\\Windows").size() == 1);
  }

} // TEST_SUITE
