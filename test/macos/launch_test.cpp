// SPDX-License-Identifier: BSL-1.0
/// The launcher for macOS, step by step, on a simulated system.
#include "../backend/seatbelt_text.hpp"
#include "system.hpp"

#include <macos/prepared.hpp>

#include <doctest/doctest.h>

using namespace cordon::macos_shim;
using when = cordon::bsd_shim::launch_stage;

namespace {

constexpr confinement usual{"(version 1)\n(deny default)\n", refusal::reading, "/private/var/run/cordon/probe", nullptr,
                            nullptr};

void fails(macos::system& os, when at, int error, const confinement& how = usual) {
  (void)launch(os, bsd::tool(), how);
  bsd::check_failure(os, at, error);
}

} // namespace

TEST_SUITE("macos") {

  TEST_CASE("macos launch: the program runs under the profile, with stdin, stdout and stderr alone") {
    macos::system os;
    os.files = {{0, "in"}, {1, "out"}, {2, "err"}, {5, "work"}, {7, "secret"}};
    command what = bsd::tool();
    what.directory = 5;
    what.stdio[2] = 1;
    const cordon::bsd_shim::resource_limit held[]{{0, 10, 10}};
    what.limits = held, what.limit_count = 1;
    (void)launch(os, what, usual);
    CHECK(os.runs);
    CHECK(os.profile == usual.profile);
    CHECK(os.program == "/usr/bin/tool");
    CHECK(os.argv == std::vector<std::string>{"tool", "word"});
    CHECK(os.directory == "work");
    CHECK(os.files == std::map<int, std::string>{{0, "in"}, {1, "out"}, {2, "out"}});
    CHECK(os.has_session);
    CHECK(os.limits == std::map<int, unsigned long long>{{0, 10}});
    CHECK(os.ignored.empty());
    CHECK(!os.blocks_signals);
  }

  TEST_CASE("macos launch: if any system call fails, nothing runs") {
    macos::system whole;
    command what = bsd::tool();
    what.directory = 0;
    what.stdio[0] = 2;
    const cordon::bsd_shim::resource_limit held[]{{0, 10, 10}};
    what.limits = held, what.limit_count = 1;
    (void)launch(whole, what, usual);
    REQUIRE(whole.runs);
    std::map<std::string, int> made;
    for (const std::string& call : whole.calls) {
      macos::system os;
      os.fails = call;
      os.fails_at = made[call]++;
      const launched l = launch(os, what, usual);
      CAPTURE(call);
      CAPTURE(os.fails_at);
      // The second time is the expected refusal: another error proves nothing.
      CHECK(!os.runs);
      CHECK(!l);
    }
    CHECK(made.size() >= 10);
  }

  TEST_CASE("macos launch: a profile that denies nothing is detected before the program runs") {
    macos::system os;
    os.forgets_profile = true;
    fails(os, when::probe, 1);
    os = {};
    os.is_readable = false;
    fails(os, when::control, 2);
    os = {};
    confinement how = usual;
    how.profile = "(version 1)\n(allow file-read-data \"/private/var/run/cordon/probe\")";
    fails(os, when::probe, 1, how);
    os = {};
    how.seen = refusal::writing;
    (void)launch(os, bsd::tool(), how);
    CHECK(os.runs);
    os = {};
    how.seen = refusal::reported;
    (void)launch(os, bsd::tool(), how);
    CHECK(os.runs);
    os = {};
    os.forgets_profile = true;
    fails(os, when::probe, 1, how);
    os = {};
    os.profile = "(version 1) of another caller";
    fails(os, when::control, 1, how);
  }

  TEST_CASE("macos launch: an invalid profile is reported with the system's message") {
    macos::system os;
    confinement how = usual;
    how.profile = "nonsense";
    fails(os, when::profile, 22, how);
    CHECK(std::string(os.told().words) == "unbound variable: nonsense");
  }

  TEST_CASE("macos launch: without sandbox_init, sandbox-exec is used after a test of its confinement") {
    macos::system os;
    os.has_init = false;
    os.is_child = false;
    CHECK(launch(os, bsd::tool(), usual).why.at == when::profile);
    CHECK(os.calls.empty());

    confinement how = usual;
    how.profile_file = "/private/var/run/cordon/profile";
    how.probe_profile = "(version 1)(allow default)(deny file-read*)";
    for (const char* confinement::*const one :
         {&confinement::profile_file, &confinement::probe, &confinement::probe_profile}) {
      confinement less = how;
      less.*one = nullptr;
      CHECK(launch(os, bsd::tool(), less).why.at == when::profile);
    }
    CHECK(os.calls.empty());
    os = {};
    os.has_init = false, os.is_child = false;
    CHECK(launch(os, bsd::tool(), how).pid == 77);
    CHECK(os.reaped == 1); // the process of the check

    for (const int status : {0, 9, -10}) { // it could read; it was killed; it is gone
      os = {};
      os.has_init = false, os.is_child = false, os.tool_status = status;
      const launched l = launch(os, bsd::tool(), how);
      CHECK(!l);
      CHECK(l.why.at == when::probe);
      CHECK(std::count(os.calls.begin(), os.calls.end(), "fork") == 1);
    }
    os = {};
    os.has_init = false, os.is_child = false, os.is_readable = false;
    CHECK(launch(os, bsd::tool(), how).why.at == when::control);
  }

  TEST_CASE("macos launch: sandbox-exec gets the profile and the command line") {
    const auto words_of = [](const detail::tool_words& w) {
      std::vector<std::string> out;
      for (char* const* word = w.get(); *word != nullptr; ++word) out.emplace_back(*word);
      return out;
    };
    const command what = bsd::tool();
    using list = std::vector<std::string>;
    CHECK(words_of({"-f", "/f", what.path, what.argv + 1}) ==
          list{"/usr/bin/sandbox-exec", "-f", "/f", "/usr/bin/tool", "word"});
    std::vector<char*> many(5000, what.argv[1]);
    many.push_back(nullptr);
    CHECK(detail::tool_words("-f", "/f", "/usr/bin/tool", many.data()).error == macos::system::e2big);
    CHECK(detail::tool_words("-f", "/f", "/usr/bin/tool", many.data() + 1000).error == 0);
  }

  TEST_CASE("macos launch: prepared has the profile, the run's directory and the test of its enforcement") {
    using namespace cordon;
    using seatbelt_text::files;
    const std::string own = "/private/var/run/cordon";
    const rights read = right::read | right::list, write = read | right::write | right::create;
    const auto seen = [&](const loaded_policy& p) { return prepared(p, {}, "", own).confinement().seen; };
    CHECK(seen(files({{"/usr", read}})) == refusal::reading);
    CHECK(seen(files({{"/", read}})) == refusal::writing);
    CHECK(seen(files({{"/", write}})) == refusal::reported);
    CHECK(seen(files({{"/", write}, {own, rights()}})) == refusal::reading);

    const loaded_policy p = files({{std::string(run_temp), write}, {"/usr", read}});
    const prepared with(p, {}, "/private/tmp/run", own), without(p, {}, "", own);
    CHECK(with.made().error.code == diagnostic_code::ok);
    CHECK(with.profile().find("(subpath \"/private/tmp/run\")") != std::string::npos);
    for (const prepared* one : {&with, &without}) CHECK(one->profile().find("run-temp") == std::string::npos);
    CHECK(without.profile().find("/private/tmp/run") == std::string::npos);
    CHECK(with_run_temp(p, "").files().size() == 1);
    CHECK(
        std::string(with.confinement().probe_profile).ends_with("(deny file-read* (literal \"" + own + "/probe\"))\n"));

    macos::system os;
    const cordon::macos_shim::confinement how = with.confinement();
    (void)launch(os, bsd::tool(), how);
    CHECK(os.runs);
  }

} // TEST_SUITE
