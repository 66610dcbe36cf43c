// SPDX-License-Identifier: BSL-1.0
/// Captures the output of programs; and converts rules to a launch.
#include "child.hpp"

#include <cordon/policy/heap.hpp>
#include <windows/launch/pipes.hpp>
#include <windows/launch/prepared.hpp>

#include <doctest/doctest.h>

using namespace cordon::windows_shim;
using namespace windows_tests;

namespace {

struct heard {
  DWORD status = STILL_ACTIVE;
  std::string output, error;
};

/// The output of the child. `pause`: milliseconds before the test reads it.
heard hear(std::vector<std::wstring> arguments, DWORD pause = 0) {
  captured all;
  command what = child(std::move(arguments));
  what.stdio = {nullptr, all.theirs(cordon::stream::output), all.theirs(cordon::stream::error)};
  const auto steps = what_wine_does();
  const launched l = launch(what, usual(), steps);
  REQUIRE(l);
  all.begin();
  ::Sleep(pause);
  heard h;
  while (!all.is_over()) {
    ::WaitForSingleObject(all.event(), INFINITE);
    for (const cordon::shim::capture::piece& p : all.take())
      (p.from == cordon::stream::output ? h.output : h.error) += p.bytes;
  }
  ::WaitForSingleObject(l.process.get(), INFINITE);
  ::GetExitCodeProcess(l.process.get(), &h.status);
  return h;
}

} // namespace

TEST_SUITE("windows capture") {

  TEST_CASE("windows capture: a flood on both streams is captured completely, also with a slow listener") {
    for (const DWORD pause : {0UL, 1000UL}) {
      const heard h = hear({L"flood", L"9000000"}, pause);
      CHECK(h.status == 7);
      CHECK(h.output == std::string(9'000'000, 'o'));
      CHECK(h.error == std::string(9'000'000, 'e'));
    }
  }

  TEST_CASE("windows capture: another process with an open pipe end does not delay the capture's end") {
    HANDLE kept = nullptr;
    captured all;
    REQUIRE(::DuplicateHandle(::GetCurrentProcess(), all.theirs(cordon::stream::output), ::GetCurrentProcess(), &kept,
                              0, FALSE, DUPLICATE_SAME_ACCESS) != FALSE);
    const handle owned(kept);
    all.begin();
    DWORD n = 0;
    ::WriteFile(kept, "x", 1, &n, nullptr);
    std::string said;
    bool given_up = false;
    for (int i = 0; i < 200 && !all.is_over(); ++i) {
      ::WaitForSingleObject(all.event(), 20);
      for (const cordon::shim::capture::piece& p : all.take()) said += p.bytes;
      given_up = i > 5;
      if (given_up) all.give_up();
    }
    CHECK(given_up);
    CHECK(all.is_over());
    CHECK(said == "x");
  }

  TEST_CASE("windows capture: rules become the confinement of a launch") {
    using namespace cordon;
    loaded_policy p;
    p.level = level::network;
    REQUIRE(p.write_any<axis_id::hosts>().code == diagnostic_code::ok);
    p.limits.set(limit::memory, 64 << 20);
    const auto made = appcontainer::compile(p, {.drive = 'C'});
    const confinement how = confinement_of(made.rules, L"n");
    CHECK(how.name == L"n");
    CHECK(how.capabilities == std::vector<std::wstring>{L"S-1-15-3-1"});
    CHECK(how.less_privileged);
    CHECK(how.limits.memory == 64 << 20);
    REQUIRE(p.write_any<axis_id::sockets>().code == diagnostic_code::ok);
    CHECK(confinement_of(appcontainer::compile(p, {.drive = 'C'}).rules, L"n").capabilities.size() == 2);
    using list = std::vector<std::wstring>;
    CHECK(
        with_folder({L"TEMP=C:\\Temp", L"A=1"}, L"C:\\c", L"C:\\Windows") ==
        list{L"TEMP=C:\\Temp", L"A=1", L"SystemRoot=C:\\Windows", L"LOCALAPPDATA=C:\\c", L"TEMP=C:\\c", L"TMP=C:\\c"});
    CHECK(with_folder({}, L"", L"C:\\Windows").size() == 1);
  }

} // TEST_SUITE
