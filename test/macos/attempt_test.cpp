// SPDX-License-Identifier: BSL-1.0
/// Runs of macOS with real processes of this machine: only the launch is a test double, which records its input.
#include "../scratch.hpp"

#include <macos/attempt.hpp>

#include <cordon/format/host_text.hpp>
#include <cordon/format/lower.hpp>
#include <cordon/run/report.hpp>

#include <doctest/doctest.h>

#include <fcntl.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <thread>
#include <utility>

using namespace cordon;
using macos_shim::attempt;

namespace {

/// The input of the last launch, and its result.
struct {
  std::string profile, probe, directory_of_probe;
  bool has_file = false; ///< of the profile, for sandbox-exec
  bsd_shim::failure why;
  int launches = 0, plain = 0;
} seen;

macos_shim::launched begin(const macos_shim::command& what) {
  macos_shim::launched l;
  l.why = seen.why;
  if (l.why.error != 0) return l;
  l.pid = ::fork();
  if (l.pid != 0) return l;
  ::setsid();
  for (int i = 0; i < 3; ++i) ::dup2(what.stdio[i], i);
  (void)!::fchdir(what.directory);
  for (int fd = 3; fd < 1024; ++fd) ::close(fd);
  ::execve(what.path, what.argv, what.envp);
  ::_exit(127);
}

} // namespace

namespace cordon::macos_shim {

launched launch(const command& what, const confinement& how) noexcept {
  ++seen.launches;
  seen.profile = how.profile;
  std::ifstream file(how.profile_file == nullptr ? "/none" : how.profile_file);
  seen.has_file = std::string(std::istreambuf_iterator<char>(file), {}) == how.profile;
  std::ifstream probe(how.probe);
  std::getline(probe, seen.probe);
  seen.directory_of_probe = std::filesystem::path(how.probe).parent_path().string();
  return begin(what);
}
launched launch_plain(const command& what) noexcept {
  ++seen.plain;
  return begin(what);
}
int children_of(int pid, int* to, int room) noexcept {
  const std::string number = std::to_string(pid);
  std::ifstream file("/proc/" + number + "/task/" + number + "/children");
  int count = 0;
  while (count < room && file >> to[count]) ++count;
  return count;
}

int all_processes(int* to, int room) noexcept {
  int count = 0;
  for (const auto& entry : std::filesystem::directory_iterator("/proc"))
    if (const int pid = std::atoi(entry.path().filename().c_str()); pid > 0 && count < room) to[count++] = pid;
  return count;
}

} // namespace cordon::macos_shim

namespace {

/// One run of shell commands.
struct job : scratch {
  run_request request;
  report told;
  loaded_policy policy;

  scratch home;

  explicit job(const std::string& words) {
    ::setenv("HOME", home.top.c_str(), 1);
    seen = {};
    request.argv = {"/bin/sh", "-c", words};
    request.environment = std::vector<std::string>{"PATH=/usr/bin:/bin", "SECRET=x"};
    request.in = input::nothing();
    request.keep = captured_size{captured_size::everything, 0};
    told.directory = top.string();
    told.profile = profile::worktree;
    format::document d;
    d.level = level::process_exec;
    d.presets.emplace();
    d.files.emplace();
    for (const char* where : {"/usr", "/bin", "/lib", "/lib64"}) d.files->push_back({where, verb::run});
    d.files->push_back({top.string(), verb::write});
    d.environment.emplace();
    d.environment->pass = std::vector<std::string>{"PATH"};
    policy = format::lower_lexically(d, {platform::macos, {}, {}, nullptr});
  }

  const report& run(bool confined = true) {
    attempt a(policy, request, told, confined);
    a.start({});
    while (!a.advance()) (void)a.wait_for(attempt::for_ever);
    if (a.is_running()) a.complete_report();
    return told;
  }
};

std::uint64_t since(std::chrono::steady_clock::time_point begin) {
  return static_cast<std::uint64_t>(
      std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::steady_clock::now() - begin).count());
}

constexpr const char* lasting = "while :; do : > alive; sleep 0.02; done";

bool is_alive(const job& j) {
  std::filesystem::remove(j.top / "alive");
  std::this_thread::sleep_for(std::chrono::milliseconds(200));
  return std::filesystem::exists(j.top / "alive");
}

} // namespace

TEST_SUITE("macos attempt") {

  TEST_CASE("macos attempt: stdout, stderr, exit code and filtered variables are reported") {
    job j("echo out; echo Operation not permitted >&2; echo $SECRET$PATH; exit 7");
    const report& r = j.run();
    CHECK(r.ended.how == ending::exited);
    CHECK(r.ended.number == 7);
    CHECK(r.output.text() == "out\n/usr/bin:/bin\n");
    CHECK(r.error.text() == "Operation not permitted\n");
    CHECK(r.denials.size() == 1);
    CHECK(r.program == std::filesystem::canonical("/bin/sh").string());
    CHECK(r.mechanisms.size() == 1);
    job killed("kill -TERM $$");
    CHECK(killed.run().ended.how == ending::signaled);
    CHECK(killed.told.ended.number == SIGTERM);
  }

  TEST_CASE("macos attempt: the launch gets the profile, and a file to test whether it is enforced") {
    job j("true");
    j.run();
    CHECK(seen.launches == 1);
    CHECK(seen.profile.find("(deny default)") != std::string::npos);
    CHECK(seen.profile.find(j.top.string()) != std::string::npos);
    CHECK(seen.probe == "cordon");
    CHECK(seen.has_file);
    CHECK(seen.directory_of_probe.starts_with(j.home.top.string() + "/Library/Caches/cordon/"));
    CHECK(!std::filesystem::exists(seen.directory_of_probe)); // removed with the run
    job open("true");                                         // the program could write the profile of the next run
    format::document d;
    d.level = level::process_exec;
    d.presets.emplace();
    for (const std::string& place :
         {std::string("/usr"), std::string("/bin"), open.top.string(), open.home.top.string()}) {
      if (!d.files) d.files.emplace();
      d.files->push_back({place, place == "/usr" || place == "/bin" ? verb::run : verb::write});
    }
    open.policy = format::lower_lexically(d, {platform::macos, {}, {}, nullptr});
    open.run();
    CHECK(seen.launches == 1);
    CHECK(!seen.has_file);
    bool told = false;
    for (const reported_gap& g : j.told.gaps) told |= g.id == "tree.session" && g.kind == gap_kind::unenforced;
    CHECK(told);
    job plain("true");
    plain.run(false);
    CHECK(seen.plain == 1);
    CHECK(plain.told.mechanisms.empty());
  }

  TEST_CASE("macos attempt: SwiftPM gets the option that disables its sandbox, and the report lists it") {
    const auto with_swift = [](job& j, const scratch& tools) {
      const std::string swift = tools.at("swift");
      tools.file("swift", "#!/bin/sh\necho \"$@\"\n");
      std::filesystem::permissions(swift, std::filesystem::perms::owner_all);
      format::document d;
      d.level = level::process_exec;
      d.presets.emplace();
      d.files = {{{"/", verb::run}, {j.top.string(), verb::write}}};
      j.policy = format::lower_lexically(d, {platform::macos, {}, {}, nullptr});
      j.request.argv = {swift, "build", "-v"};
    };
    const scratch tools;
    job j("");
    with_swift(j, tools);
    const std::string state = j.at(".build/cordon/");
    const std::string added = "--disable-sandbox --cache-path " + state + "cache --config-path " + state +
                              "config --security-path " + state + "security";
    CHECK(j.run().output.text() == "build " + added + " -v\n");
    CHECK(j.told.added_arguments == std::vector<std::string>{"--disable-sandbox", "--cache-path", state + "cache",
                                                             "--config-path", state + "config", "--security-path",
                                                             state + "security"});
    CHECK(j.request.argv.size() == 3);
    CHECK(to_json(j.told).find("\"arguments_added\": [\"--disable-sandbox\", ") != std::string::npos);
    job in_project("");
    with_swift(in_project, tools);
    in_project.told.project = project_choice{"/work/app", "has .git"};
    CHECK(in_project.run().output.text().find("--cache-path /work/app/.build/cordon/cache ") != std::string::npos);
    job said("");
    with_swift(said, tools);
    said.request.argv = {tools.at("swift"), "--disable-sandbox", "build"};
    CHECK(said.run().output.text() == "--disable-sandbox build\n");
    job open("");
    with_swift(open, tools);
    CHECK(open.run(false).output.text() == "build -v\n");
    CHECK(open.told.added_arguments.empty());
  }

  TEST_CASE("macos attempt: the run has a temporary directory, which is removed with it") {
    job j("echo $TMPDIR; : > $TMPDIR/x");
    format::document d;
    d.level = level::process_exec;
    d.presets = preset_set(preset::user_temp);
    d.files.emplace();
    for (const char* where : {"/usr", "/bin", "/lib", "/lib64"}) d.files->push_back({where, verb::run});
    d.files->push_back({j.top.string(), verb::write});
    d.workspace = d.files;
    j.policy = format::lower_lexically(d, {platform::linux_, {}, {}, nullptr});
    std::string temp = j.run().output.text();
    REQUIRE(temp.size() > 2);
    temp.pop_back();
    CHECK(seen.profile.find(temp) != std::string::npos);
    CHECK(!std::filesystem::exists(temp));
  }

  TEST_CASE("macos attempt: the profile opens the gateway's port, and proxy variables name it") {
    job j("echo $HTTPS_PROXY $no_proxy");
    j.policy.level = level::network;
    host_set<heap> hosts;
    hosts.add(format::parse_host("example.com"));
    REQUIRE(hosts.close().code == diagnostic_code::ok);
    REQUIRE(j.policy.write<axis_id::hosts>([&](auto& out) { out.add_all(hosts.view()); }).code == diagnostic_code::ok);
    CHECK(seen.profile.find("localhost:3128") == std::string::npos);
    j.request.gateway_port = 3128;
    CHECK(j.run().output.text() == "http://localhost:3128 localhost,127.0.0.1,::1\n");
    CHECK(seen.profile.find("localhost:3128") != std::string::npos);
    job any("true");
    any.request.gateway_port = 3128;
    CHECK_THROWS_AS(any.run(), refused); // it reaches no host
    const auto& added = j.told.added_environment;
    CHECK(std::find(added.begin(), added.end(), "HTTPS_PROXY") != added.end());
  }

  TEST_CASE("macos attempt: the program reads nothing, bytes or a file") {
    job none("cat");
    CHECK(none.run().output.text() == "");
    job bytes("cat");
    bytes.request.in = input::of(std::string(3'000'000, 'i'));
    CHECK(bytes.run().output.text() == std::string(3'000'000, 'i'));
    job unread("exit 3");
    unread.request.in = input::of(std::string(3'000'000, 'i'));
    CHECK(unread.run().ended.number == 3);
    job file("cat");
    file.file("words", "of a file");
    file.request.in = input::file(file.at("words"));
    CHECK(file.run().output.text() == "of a file");
  }

  TEST_CASE("macos attempt: the timeout ends all processes, also those in their own session") {
    job j(std::string("echo first; setsid sh -c '") + lasting + "' & wait");
    j.policy.limits.set(limit::timeout, 500'000'000);
    const auto begin = std::chrono::steady_clock::now();
    CHECK(j.run().ended.how == ending::timed_out);
    CHECK(since(begin) < 10'000);
    CHECK(j.told.output.text() == "first\n");
    CHECK(!is_alive(j));
    job orphan(std::string("(sh -c '") + lasting + "' &); sleep 60");
    orphan.policy.limits.set(limit::timeout, 500'000'000);
    CHECK(orphan.run().ended.how == ending::timed_out);
    CHECK(!is_alive(orphan));
  }

  TEST_CASE("macos attempt: processes that hold the streams do not delay the report") {
    job j("sleep 60 & echo done");
    const auto begin = std::chrono::steady_clock::now();
    CHECK(j.run().ended.how == ending::exited);
    CHECK(since(begin) < 10'000);
    CHECK(j.told.output.text() == "done\n");
    // Nor does a process that has left the tree, which a gap reports.
    job away("(setsid sleep 5 & echo $! > away); sleep 0.3; echo done");
    CHECK(away.run().output.text() == "done\n");
    CHECK(since(begin) < 4'500);
    std::ifstream file(away.at("away"));
    int pid = 0;
    if (file >> pid && pid > 1) ::kill(pid, SIGKILL);
  }

  TEST_CASE("macos attempt: when the program ends, background jobs end, and unread input is dropped") {
    job j(std::string("set -m; (") + lasting + ") & until test -e alive; do :; done; exit 3");
    CHECK(j.run().ended.number == 3);
    CHECK(!is_alive(j));
    job full("setsid sh -c 'echo $$ > away; exec sleep 5' <&0 & until test -s away; do :; done; exit 4");
    full.request.in = input::of(std::string(3'000'000, 'i'));
    const auto begin = std::chrono::steady_clock::now();
    CHECK(full.run().ended.number == 4);
    CHECK(since(begin) < 4'500);
    std::ifstream file(full.at("away"));
    int pid = 0;
    if (file >> pid && pid > 1) ::kill(pid, SIGKILL);
  }

  TEST_CASE("macos attempt: no output is lost to a slow listener") {
    job j("head -c 300000 /dev/zero");
    bool first = true;
    j.request.on_output = [&](stream, std::string_view) {
      if (std::exchange(first, false)) std::this_thread::sleep_for(std::chrono::milliseconds(400));
    };
    CHECK(j.run().output.written() == 300'000);
  }

  TEST_CASE("macos attempt: a failed start restores signal handlers; an ignored SIGCHLD is refused") {
    struct sigaction mine {
    }, after{};
    mine.sa_handler = [](int) {};
    struct sigaction before {};
    ::sigaction(SIGTERM, &mine, &before);
    job none("true");
    none.request.argv = {"no-such-program"};
    none.run();
    ::sigaction(SIGTERM, &before, &after);
    const bool kept = after.sa_handler == mine.sa_handler;
    CHECK(kept);
    struct sigaction ignored {};
    ignored.sa_handler = SIG_IGN;
    ::sigaction(SIGCHLD, &ignored, &before);
    job deaf("true");
    CHECK_THROWS_AS(deaf.run(), refused);
    ::sigaction(SIGCHLD, &before, nullptr);
  }

  TEST_CASE("macos attempt: the output limit ends the program while it runs") {
    job j("exec yes");
    j.policy.limits.set(limit::output, 1 << 20);
    j.request.keep = captured_size{100, 50};
    const report& r = j.run();
    CHECK(r.ended.how == ending::output_quota);
    CHECK(r.output.written() == 1 << 20);
    CHECK(r.output.left_out() == (1 << 20) - 150);
  }

  TEST_CASE("macos attempt: each limit has its grade; memory is not enforced") {
    job j("ulimit -n");
    j.policy.limits.set(limit::open_files, 64).set(limit::memory, 1 << 30).set(limit::cpu, 1'500'000'000);
    j.run();
    REQUIRE(j.told.limits.size() == 3);
    for (const stated_limit& l : j.told.limits)
      CHECK(l.grade == (l.which == limit::memory ? "none" : l.which == limit::cpu ? "best_effort" : "enforced"));
  }

  TEST_CASE("macos attempt: a listener may cancel the run, and its exception ends it") {
    job j(std::string("echo x; ") + lasting);
    attempt* now = nullptr;
    j.request.on_output = [&](stream, std::string_view) { now->cancel(); };
    {
      attempt a(j.policy, j.request, j.told, true);
      now = &a;
      a.start({});
      while (!a.advance()) (void)a.wait_for(attempt::for_ever);
    }
    CHECK(j.told.ended.how == ending::interrupted);
    CHECK(!is_alive(j));
    job thrown("exec yes");
    thrown.request.on_output = [](stream, std::string_view) { throw std::runtime_error("enough"); };
    CHECK_THROWS_WITH(thrown.run(), "enough");
    job forgotten(lasting);
    {
      attempt a(forgotten.policy, forgotten.request, forgotten.told, true);
      a.start({});
      while (!std::filesystem::exists(forgotten.top / "alive"))
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    CHECK(!is_alive(forgotten));
  }

  TEST_CASE("macos attempt: with owns_process, a signal to the caller ends the run") {
    struct sigaction before {
    }, after{};
    ::sigaction(SIGTERM, nullptr, &before);
    job j("echo x; sleep 60");
    j.request.owns_process = true;
    j.request.on_output = [](stream, std::string_view) { ::raise(SIGTERM); };
    CHECK(j.run().ended.how == ending::interrupted);
    CHECK(j.told.ended.number == SIGTERM);
    ::sigaction(SIGTERM, nullptr, &after); // restored
    const bool same = after.sa_handler == before.sa_handler;
    CHECK(same);
  }

  TEST_CASE("macos attempt: a caller with its own event loop waits on one descriptor") {
    job j("sleep 0.1; echo late");
    attempt a(j.policy, j.request, j.told, true);
    a.start({});
    const shim::descriptor again(a.duplicate_descriptor());
    REQUIRE(again);
    int turns = 0;
    for (pollfd p{again.get(), POLLIN, 0}; !a.advance(); ++turns) REQUIRE(::poll(&p, 1, 20'000) == 1);
    CHECK(turns < 20);
    CHECK(j.told.output.text() == "late\n");
  }

  TEST_CASE("macos attempt: a failed start reports its stage and the reason") {
    job j("true");
    seen.why.at = bsd_shim::launch_stage::probe, seen.why.error = EPERM;
    CHECK_THROWS_WITH(j.run(), "cannot start the program: stage probe: Operation not permitted");
    job words("true");
    seen.why.at = bsd_shim::launch_stage::profile, seen.why.error = EINVAL;
    std::strcpy(seen.why.words, "unbound variable");
    CHECK_THROWS_WITH(words.run(), "cannot start the program: stage profile: unbound variable");
    job program("true");
    seen.why.at = bsd_shim::launch_stage::exec, seen.why.error = ENOEXEC;
    CHECK(program.run().ended.how == ending::not_executable);
    job none("true");
    none.request.argv = {"no-such-program"};
    CHECK(none.run().ended.how == ending::not_found);
    CHECK(seen.launches == 0);
    job forbidden("true");
    forbidden.policy.level = level::read_only;
    CHECK_THROWS_AS(forbidden.run(), refused);
    job hard("true");
    hard.told.profile = profile::os_hardened;
    CHECK_THROWS_AS(hard.run(), refused); // macOS has no group that holds the tree
  }

} // TEST_SUITE
