// SPDX-License-Identifier: BSL-1.0
/// The launcher for OpenBSD, step by step, against the manual pages.
#include "manual.hpp"

#include "../dice.hpp"

#include <cordon/backend/unveil.hpp>
#include <cordon/policy/dsl.hpp>
#include <cordon/policy/heap.hpp>
#include <openbsd/prepared.hpp>

#include <doctest/doctest.h>

using namespace cordon;
using namespace cordon::openbsd_shim;

namespace {

using when = bsd_shim::launch_stage;
using bsd_shim::resource_limit;

constexpr unveiled places[]{{"/usr", "rx"}, {"/work", "rwc"}, {"/work/keys", ""}};
constexpr confinement usual{places, 3, "stdio exec", "stdio exec rpath wpath cpath"};

/// No program runs, and the parent learns why.
void fails(openbsd::system& os, when at, int error, const confinement& how = usual) {
  (void)launch(os, bsd::tool(), how);
  bsd::check_failure(os, at, error);
}

} // namespace

TEST_SUITE("openbsd") {

  TEST_CASE("openbsd launch: the program has the requested files, directory, limits and promises alone") {
    openbsd::system os;
    os.files = {{0, "in"}, {1, "out"}, {2, "err"}, {5, "work"}, {7, "secret"}, {8, "log"}};
    command what = bsd::tool();
    what.directory = 5;
    what.stdio[1] = what.stdio[2] = 8;
    const resource_limit held[]{{0, 10, 12}, {8, 64, 64}};
    what.limits = held, what.limit_count = 2;
    (void)launch(os, what, usual);
    CHECK(os.runs);
    CHECK(os.said == "");
    CHECK(os.program == "/usr/bin/tool");
    CHECK(os.is_locked);
    CHECK(os.unveiled.size() == 3);
    CHECK(os.promised == openbsd::words_of(usual.program_promises));
    CHECK(os.can("/work/x", 'w', "wpath"));
    CHECK(!os.can("/work/keys/x", 'r', "rpath"));
    CHECK(!os.can("/etc/passwd", 'r', "rpath"));
    CHECK(os.directory == "work");
    CHECK(os.files == std::map<int, std::string>{{0, "in"}, {1, "log"}, {2, "log"}});
    CHECK(os.has_session);
    CHECK(os.ignored.empty());
    CHECK(!os.blocks_signals);
    CHECK(os.limits == std::map<int, unsigned long long>{{0, 10}, {8, 64}});
  }

  TEST_CASE("openbsd launch: stdin, stdout and stderr may come from any descriptors") {
    for (const std::array<int, 3>& from :
         {std::array{1, 0, 2}, {2, 2, 0}, {1, 2, 0}, {4, 1, -1}, {-1, -1, -1}, {3, 4, 3}}) {
      openbsd::system os;
      os.files = {{0, "a"}, {1, "b"}, {2, "c"}, {3, "d"}, {4, "e"}};
      const auto before = os.files;
      command what = bsd::tool();
      std::map<int, std::string> wanted;
      for (int i = 0; i < 3; ++i) {
        what.stdio[i] = from[static_cast<std::size_t>(i)];
        wanted[i] = before.at(what.stdio[i] < 0 ? i : what.stdio[i]);
      }
      (void)launch(os, what, usual);
      CHECK(os.runs);
      CHECK(os.files == wanted);
    }
    // If the caller has no open descriptors, the report pipe gets the lowest numbers.
    openbsd::system os;
    os.files = {{9, "log"}};
    command what = bsd::tool();
    for (int& fd : what.stdio) fd = 9;
    (void)launch(os, what, usual);
    CHECK(os.runs);
    CHECK(os.files == std::map<int, std::string>{{0, "log"}, {1, "log"}, {2, "log"}});
    // The report still arrives.
    os = {};
    os.files = {{9, "log"}};
    os.executables.clear();
    (void)launch(os, what, usual);
    CHECK(os.told().at == when::exec);
    // Without any descriptor, the program gets none, and there is none to close.
    os = {};
    os.files.clear();
    (void)launch(os, bsd::tool(), usual);
    CHECK(os.runs);
    CHECK(os.files.empty());
    // A descriptor that exec would close is still passed on.
    os = {};
    os.marked = {1};
    what.stdio[0] = what.stdio[2] = -1, what.stdio[1] = 1;
    (void)launch(os, what, usual);
    CHECK(os.files == std::map<int, std::string>{{0, "in"}, {1, "out"}, {2, "err"}});
  }

  TEST_CASE("openbsd launch: if any system call fails, nothing runs") {
    openbsd::system whole;
    command what = bsd::tool();
    what.directory = 0;
    what.stdio[0] = what.stdio[1] = 2;
    const resource_limit held[]{{0, 10, 10}};
    what.limits = held, what.limit_count = 1;
    (void)launch(whole, what, usual);
    REQUIRE(whole.runs);
    std::map<std::string, int> made;
    int tried = 0;
    for (const std::string& call : whole.calls) {
      openbsd::system os;
      os.fails = call;
      os.fails_at = made[call]++;
      const launched l = launch(os, what, usual);
      CAPTURE(call);
      CAPTURE(os.fails_at);
      ++tried;
      CHECK(!os.runs);
      CHECK(!l);
      if (call == "pipe" || call == "fork") CHECK(l.why.at == when::create);
      else CHECK(os.told().error != 0);
    }
    CHECK(tried > 40);
  }

  TEST_CASE("openbsd launch: a call that reports success without effect is detected") {
    openbsd::system os;
    os.forgets_lock = true;
    fails(os, when::lock, openbsd::system::eperm);
    os = {};
    os.forgets_promises = true;
    fails(os, when::promises, openbsd::system::eperm);
    os = {};
    os.forgets_program_promises = true;
    fails(os, when::promises, openbsd::system::eperm);
  }

  TEST_CASE("openbsd launch: a confinement that restricts nothing is refused") {
    openbsd::system os;
    confinement how = usual;
    how.place_count = 0;
    fails(os, when::places, openbsd::system::einval, how);
    os = {};
    how = usual;
    how.program_promises = nullptr;
    fails(os, when::promises, openbsd::system::einval, how);
    // The control: the kernel's behaviour without promises for the program.
    os = {};
    os.unveil("/usr", "rx");
    os.unveil(nullptr, nullptr);
    os.pledge("stdio exec", nullptr);
    CHECK(!os.can("/etc/passwd", 'r', "rpath"));
    CHECK(os.execve("/usr/bin/tool", nullptr, nullptr) == 0);
    CHECK(os.can("/etc/passwd", 'r', "rpath"));
  }

  TEST_CASE("openbsd launch: a program that may not run or is missing fails with its errno") {
    openbsd::system os;
    os.executables = {"/work/tool"};
    command what = bsd::tool();
    what.path = "/work/tool";
    (void)launch(os, what, usual);
    CHECK(os.told().at == when::exec);
    CHECK(os.told().error == openbsd::system::eacces);
    os = {};
    os.executables = {"/opt/tool"};
    what.path = "/opt/tool";
    (void)launch(os, what, usual);
    CHECK(os.told().error == openbsd::system::enoent);
  }

  TEST_CASE("openbsd launch: the parent distinguishes a start, a failure and a lost report") {
    openbsd::system os;
    os.is_child = false;
    const launched good = launch(os, bsd::tool(), usual);
    CHECK(good.pid == 77);
    CHECK(os.closed == 2);
    CHECK(os.reaped == 0);

    os = {};
    os.is_child = false;
    failure why;
    why.at = when::places, why.error = 13, why.part = 2;
    os.hear(why);
    const launched bad = launch(os, bsd::tool(), usual);
    CHECK(!bad);
    CHECK(bad.why.at == when::places);
    CHECK(bad.why.part == 2);
    CHECK(os.reaped == 1);
    CHECK(os.closed == 2);

    os = {};
    os.is_child = false;
    os.news = "x";
    const launched odd = launch(os, bsd::tool(), usual);
    CHECK(!odd);
    CHECK(odd.why.at == when::create);
    CHECK(os.ended == 1);
    CHECK(os.reaped == 1);
  }

  TEST_CASE("openbsd launch: under random policies, the process can do what the rules permit") {
    dice d(5);
    const std::string_view names[]{"/a", "/a/b", "/a/b/c", "/d", "/d/e", "/usr"};
    int verdicts = 0;
    for (int round = 0; round < 60; ++round) {
      loaded_policy p;
      p.level = level::process_exec;
      REQUIRE(p.write<axis_id::files>([&](auto& to) {
                 for (const std::string_view n : names)
                   if (n == "/usr") to.add({n, (right::read | right::list | right::run).bits(), {}});
                   else if (d.percent(60)) to.add({n, static_cast<std::uint32_t>(d.below(256)), {}});
               }).code == diagnostic_code::ok);
      const auto made = unveil::compile(p, {});
      REQUIRE(made.error.code == diagnostic_code::ok);
      const prepared ready(made.rules, "", [](std::string_view) { return true; });
      openbsd::system os;
      (void)launch(os, bsd::tool(), ready.confinement());
      REQUIRE(os.runs);
      for (const std::string_view n : names) {
        const std::string place = std::string(n) + "/x";
        const auto agree = [&](right r, char letter, const char* promise) {
          ++verdicts;
          CHECK(os.can(place, letter, promise) == permits(made.rules, r, place));
        };
        agree(right::read, 'r', "rpath");
        agree(right::list, 'r', "rpath");
        agree(right::write, 'w', "wpath");
        agree(right::create, 'c', "cpath");
        agree(right::attributes, 'w', "fattr");
        agree(right::run, 'x', "exec");
      }
      CHECK(os.promised->contains("proc") == permits(made.rules, process_feature::spawn));
    }
    CHECK(verdicts > 2000);
  }

  TEST_CASE("openbsd launch: missing paths are left out, and the run's own directory is added") {
    loaded_policy p;
    REQUIRE(p.write<axis_id::files>([&](auto& to) {
               const std::uint32_t all = (right::read | right::list).bits();
               to.add({run_temp, all, {}});
               to.add({"/gone/tool", all, {}});
               to.add({"/work", all, {}});
             }).code == diagnostic_code::ok);
    const auto made = unveil::compile(p, {});
    const prepared ready(made.rules, "/tmp/run-1", [](std::string_view dir) { return dir != "/gone"; });
    CHECK(ready.absent() == std::vector<std::string>{"/gone/tool"});
    std::set<std::string> told;
    for (unsigned long i = 0; i < ready.confinement().place_count; ++i)
      told.insert(ready.confinement().places[i].place);
    CHECK(told.contains("/tmp/run-1"));
    CHECK(told.contains("/work"));
    CHECK(!told.contains(std::string(run_temp)));
    const prepared without(made.rules, "", [](std::string_view) { return true; });
    CHECK(without.absent().empty());
    for (unsigned long i = 0; i < without.confinement().place_count; ++i)
      CHECK(without.confinement().places[i].place != std::string(run_temp));
  }
}
