// SPDX-License-Identifier: BSL-1.0
/// Runs on Windows. Wine confines nothing, so the tests use the steps that have an effect there, and simulated profiles
/// and lists.
#include "../scratch.hpp"
#include "child.hpp"
#include "filed_lists.hpp"
#include "made_up.hpp"
#include "requests.hpp"

#include <windows/launch/job.hpp>
#include <windows/places.hpp>
#include <windows/supervise/attempt.hpp>
#include <windows/text.hpp>

#include <cordon/format/lower.hpp>
#include <cordon/format/place.hpp>
#include <cordon/run/availability.hpp>
#include <cordon/run/report.hpp>
#include <cordon/run/run.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <chrono>
#include <map>
#include <memory>
#include <stdexcept>

using namespace cordon;
using namespace windows_tests;

namespace {

format::document limited(const place& s, limit l, std::uint64_t value) {
  format::document d = s.document();
  d.limits.set(l, value);
  return d;
}

constexpr std::uint64_t ms = 1'000'000;

} // namespace

TEST_SUITE("windows run") {

  TEST_CASE("windows run: stdout and stderr are captured separately, with the exit code") {
    const place s;
    const report r = run(s.child({"both"}));
    CHECK(r.ended.why == "");
    CHECK(r.ended.how == ending::exited);
    CHECK(r.output.text() == "out\n");
    CHECK(r.error.text() == "Access is denied.\n");
    REQUIRE(r.denials.size() == 1);
    CHECK(r.denials[0].seen == denial::source::inferred);
    CHECK(run(s.child({"exit", "7"})).ended.number == 7);
    const report crashed = run(s.child({"exit", "3221225477"}));
    CHECK(static_cast<DWORD>(crashed.ended.number) == 0xC0000005);
    CHECK(to_json(crashed).find("\"number\": 3221225477,") != std::string::npos);
    CHECK(to_json(r).find("\"selected\": \"unconfined_reported\"") != std::string::npos);
  }

  TEST_CASE("windows run: the program reads nothing, bytes or a file") {
    const place s;
    s.file("words", "of a file");
    CHECK(run(s.child({"cat"})).output.text() == "");
    run_request r = s.child({"cat"});
    r.in = input::of(std::string(3'000'000, 'i'));
    CHECK(run(std::move(r)).output.text() == std::string(3'000'000, 'i'));
    r = s.child({"cat"});
    r.in = input::file(s.at("words"));
    CHECK(run(std::move(r)).output.text() == "of a file");
    r = s.child({"exit", "3"}); // it reads nothing
    r.in = input::of(std::string(3'000'000, 'i'));
    CHECK(run(std::move(r)).ended.number == 3);
    r = s.child({"cat"});
    r.in = input::file(s.at("nothing"));
    CHECK(run(std::move(r)).ended.how == ending::refused);
  }

  TEST_CASE("windows run: the timeout ends all processes, though a grandchild holds both pipes") {
    const place s;
    const auto before = std::chrono::steady_clock::now();
    const report r = run(s.child({"parent"}, limited(s, limit::timeout, 5000 * ms)));
    CHECK(r.ended.how == ending::timed_out);
    CHECK(std::chrono::steady_clock::now() - before < std::chrono::seconds(20));
    const auto grandchild = static_cast<DWORD>(std::strtoul(r.output.text().c_str(), nullptr, 10));
    CHECK(grandchild != 0);
    CHECK(!is_running(grandchild));
  }

  TEST_CASE("windows run: when the program ends, its grandchildren end") {
    const place s;
    const report r = run(s.child({"leave"}));
    CHECK(r.ended.how == ending::exited);
    CHECK(r.ended.number == 3);
    CHECK(!is_running(static_cast<DWORD>(std::strtoul(r.output.text().c_str(), nullptr, 10))));
  }

  TEST_CASE("windows run: the output limit ends the program") {
    const place s;
    run_request q = s.child({"endless"}, limited(s, limit::output, 1 << 20));
    q.keep = captured_size{100, 50};
    const report r = run(std::move(q));
    CHECK(r.ended.how == ending::output_quota);
    CHECK(r.output.written() == 1 << 20);
    CHECK(r.output.left_out() == (1 << 20) - 150);
    REQUIRE(r.limits.size() == 1);
    CHECK(r.limits[0].grade == "enforced");
  }

  TEST_CASE("windows run: a limit that the job does not keep has the grade none") {
    const place s;
    const report r = run(s.child({"exit", "0"}, limited(s, limit::memory, 64 << 20)));
    REQUIRE(r.limits.size() == 1);
    CHECK(r.limits[0].grade == (holds({64 << 20, 0, 0}) ? "enforced" : "none"));
  }

  TEST_CASE("windows run: cancel and an exception from on_output end the run") {
    const place s;
    DWORD grandchild = 0;
    run_request r = s.child({"parent"});
    process_run* program = nullptr;
    r.on_output = [&](stream, std::string_view said) {
      grandchild = static_cast<DWORD>(std::strtoul(std::string(said).c_str(), nullptr, 10));
      program->cancel();
    };
    process_run now(std::move(r));
    program = &now;
    CHECK(now.descriptor() == -1);
    const outcome ended = now.wait().ended;
    INFO(ended.why);
    CHECK(ended.how == ending::interrupted);
    CHECK(grandchild != 0);
    CHECK(!is_running(grandchild));
    r = s.child({"endless"});
    r.on_output = [](stream, std::string_view) { throw std::runtime_error("enough"); };
    CHECK_THROWS_WITH((void)run(std::move(r)), "enough");
  }

  TEST_CASE("windows run: variable names ignore case, and removed variables are absent") {
    const place s;
    format::document d = s.document();
    d.environment.emplace();
    d.environment->pass = std::vector<std::string>{"Path", "one_*"};
    d.environment->remove = {"ONE_secret"};
    d.environment->set.insert_or_assign("Mine", "set");
    run_request r = s.child({"env"}, d);
    r.environment = std::vector<std::string>{"PATH=C:\\x", "One_More=1", "One_Secret=hidden", "Other=unseen"};
    const report told = run(std::move(r));
    const std::string all = told.output.text();
    CHECK(all.find(hex(L"PATH=C:\\x")) != std::string::npos);
    CHECK(all.find(hex(L"ONE_MORE=1")) != std::string::npos);
    CHECK(all.find(hex(L"MINE=set")) != std::string::npos);
    CHECK(all.find(hex(L"hidden")) == std::string::npos);
    CHECK(all.find(hex(L"unseen")) == std::string::npos);
    CHECK(std::find(told.added_environment.begin(), told.added_environment.end(), "SystemRoot") !=
          told.added_environment.end());
    CHECK(all.find(hex(L"SystemRoot=").substr(0, 44)) != std::string::npos);
  }

  TEST_CASE("windows run: a missing program has exit status 127") {
    const place s;
    run_request r = s.child({});
    r.argv = {"nowhere"};
    CHECK(exit_status(run(std::move(r)).ended.how, 0) == 127);
  }

  TEST_CASE("windows run: without AppContainer, a run that must be confined is refused") {
    if (probe_backend(launcher_id::automatic).available) {
      MESSAGE("skipped: a system without AppContainer");
      return;
    }
    const place s;
    run_request r = s.child({"exit", "0"});
    r.asked = {};
    r.asked.asked_profile = profile::os_hardened;
    const report hard = run(r);
    CHECK(hard.ended.how == ending::refused);
    CHECK(hard.ended.why.find("profile") != std::string::npos);
    r.asked = {};
    r.asked.backend = launcher_id::appcontainer;
    const report asked = run(r);
    CHECK(asked.ended.how == ending::refused);
    CHECK(asked.ended.why.find("this system has no such call") != std::string::npos);
    bool container = true;
    for (const ability_of_host& a : examine_host())
      if (a.name == "appcontainer") container = a.works;
    CHECK(!container);
  }

  TEST_CASE("windows run: the container has its grants only while the program runs") {
    const place s;
    const scratch own;
    for (const bool cancelled : {false, true}) {
      CAPTURE(cancelled);
      made_up::all();
      // The lists are files of a directory; each object has a number there.
      static std::filesystem::path top;
      top = s.dir("lists");
      struct numbered final : list_store {
        filed_lists filed;
        std::vector<std::wstring> objects;
        std::wstring number(const std::wstring& object) {
          const auto at = std::find(objects.begin(), objects.end(), object);
          const auto n = static_cast<std::size_t>(at - objects.begin());
          if (at == objects.end()) objects.push_back(object);
          if (!std::filesystem::exists(top / std::to_wstring(n)))
            (void)filed.write(std::to_wstring(n), L"D:AI(A;ID;FA;;;SY)");
          return std::to_wstring(n);
        }
        unsigned long read(const std::wstring& object, std::wstring& list) override {
          return filed.read(number(object), list);
        }
        unsigned long write(const std::wstring& object, const std::wstring& list) override {
          return filed.write(number(object), list);
        }
        bool is_directory(const std::wstring&) override { return true; }
      };
      machine on;
      std::vector<stage> steps = with({L"profile", L"files", L"token", L"job", L"list", L"handles", L"job list",
                                       L"process", L"see groups", L"see job", L"resume"});
      on.steps = steps;
      on.calls = made_up::all();
      on.lists = [] {
        auto made = std::make_unique<numbered>();
        made->filed.top = top;
        return made;
      };
      on.journals = own.dir("journals");
      run_request q = s.child({cancelled ? "sleep" : "both"});
      report r;
      r.directory = place_of(s.top);
      r.profile = profile::worktree;
      const loaded_policy p = windows_shim::resolve(q.policy);
      const auto given = [&] { // the number of lists with an entry of the container
        int count = 0;
        for (const auto& list : std::filesystem::directory_iterator(top)) {
          std::ifstream file(list.path());
          std::string text;
          std::getline(file, text);
          count += text.find("S-1-15-2-1-2-3-4-5-6-7") != text.npos ? 1 : 0;
        }
        return count;
      };
      windows_shim::attempt run(p, q, r, true, on);
      run.start({});
      REQUIRE(run.is_running());
      CHECK(given() == 2); // the program's directory, and the writable one
      CHECK(std::distance(std::filesystem::directory_iterator(on.journals), {}) == 1);
      if (cancelled) run.cancel();
      while (!run.advance()) (void)run.wait_for(INFINITE);
      run.complete_report();
      CHECK(r.ended.how == (cancelled ? ending::interrupted : ending::exited));
      CHECK(given() == 0);
      CHECK(std::filesystem::is_empty(on.journals));
      CHECK(r.output.text() == (cancelled ? "" : "out\n"));
      bool told = false;
      for (const mechanism& m : r.mechanisms) told |= m.name == "appcontainer";
      CHECK(told);
    }
  }

  TEST_CASE("windows run: a failed start leaves no grants, and reports its stage") {
    const place s;
    const scratch own;
    made_up::all();
    machine on;
    const std::vector<stage> steps = with({L"profile", L"files", L"list", L"process", L"see container"});
    on.steps = steps;
    on.calls = made_up::all();
    on.journals = own.dir("journals");
    on.lists = []() -> std::unique_ptr<list_store> {
      struct kept final : list_store {
        std::map<std::wstring, std::wstring> all;
        unsigned long read(const std::wstring& object, std::wstring& list) override {
          return list = all.emplace(object, L"D:").first->second, 0;
        }
        unsigned long write(const std::wstring& object, const std::wstring& list) override {
          return all[object] = list, 0;
        }
        bool is_directory(const std::wstring&) override { return true; }
      };
      return std::make_unique<kept>();
    };
    run_request q = s.child({"touch", s.at("mark")});
    report r;
    r.directory = place_of(s.top);
    const loaded_policy p = windows_shim::resolve(q.policy);
    windows_shim::attempt run(p, q, r, true, on);
    CHECK_THROWS_WITH(
        run.start({}),
        "cannot start the program: stage see container: Windows accepted the setting, but it is not in force");
    CHECK(!std::filesystem::exists(s.top / "mark"));
  }

  TEST_CASE("windows run: an access list that drops its entries is detected, and nothing runs") {
    if (probe_backend(launcher_id::automatic).available) {
      MESSAGE("skipped: a system whose files keep no entries of containers");
      return;
    }
    const place s;
    const scratch own;
    machine on;
    const std::vector<stage> steps = with({L"profile", L"files", L"job", L"list", L"process", L"resume"});
    on.steps = steps;
    on.calls = made_up::all();
    on.journals = own.dir("journals");
    run_request q = s.child({"touch", s.at("mark")});
    report r;
    r.directory = place_of(s.top);
    const loaded_policy p = windows_shim::resolve(q.policy);
    windows_shim::attempt run(p, q, r, true, on);
    std::string why;
    try {
      run.start({});
    } catch (const refused& e) { why = e.what(); }
    CHECK(why.starts_with("cannot start the program: stage files: the access list of "));
    CHECK(why.ends_with("(50)"));
    CHECK(std::filesystem::is_empty(on.journals));
    CHECK(!std::filesystem::exists(s.top / "mark"));
  }

  TEST_CASE("windows run: a journal in a directory that the program may write is refused") {
    const place s;
    machine on;
    on.calls = made_up::all();
    on.journals = s.dir("journals");
    run_request q = s.child({"exit", "0"});
    report r;
    r.directory = place_of(s.top);
    const loaded_policy p = windows_shim::resolve(q.policy);
    windows_shim::attempt run(p, q, r, true, on);
    CHECK_THROWS_AS(run.start({}), refused);
    CHECK(made_up::calls.empty());
  }

  TEST_CASE("windows run: os_hardened refuses a gap that the caller does not accept") {
    const place s;
    run_request q = s.child({"exit", "0"});
    report r;
    r.profile = profile::os_hardened;
    r.directory = place_of(s.top);
    machine on;
    const loaded_policy p = windows_shim::resolve(q.policy);
    CHECK_THROWS_AS(windows_shim::attempt(p, q, r, true, on), refused); // C:\Windows is open to every container
    q.accepted_gaps = unaccepted_gaps(r.gaps, {});
    CHECK(!q.accepted_gaps.empty());
    report again;
    again.profile = profile::os_hardened;
    const windows_shim::attempt accepted(p, q, again, true, on);
    CHECK(!again.gaps.empty());
  }

} // TEST_SUITE
