// SPDX-License-Identifier: BSL-1.0
/// Launches in separate namespaces: what the program finds there, and how the init process serves it. If a step of the
/// set-up cannot be done, the launch fails in that step.
#include "isolated.hpp"

#include <sys/resource.h>
#include <sys/syscall.h>

#include <atomic>
#include <chrono>
#include <csignal>
#include <thread>

namespace linux_isolation_test {

using namespace cordon;
using namespace launching;
using viewing::work;

namespace {

/// Processes of this machine that sleep for that time.
int sleeping(const std::string& name) {
  const std::string words = "sleep" + std::string(1, '\0') + name;
  int count = 0;
  for (const auto& entry : std::filesystem::directory_iterator("/proc")) {
    const std::string line = viewing::content((entry.path() / "cmdline").c_str());
    count += line.find(words) != line.npos && entry.path() != "/proc/" + std::to_string(::getpid()) ? 1 : 0;
  }
  return count;
}

/// Is `f` true within a second?
template <class F> bool soon(F&& f) {
  for (int i = 0; i < 200; ++i, std::this_thread::sleep_for(std::chrono::milliseconds(5)))
    if (f()) return true;
  return false;
}

/// Launches in another process, which is then killed: `count` processes sleep for `name` before, and soon none.
template <class F> void check_end_with_launcher(const std::string& name, int count, F&& launch_it) {
  std::fflush(nullptr);
  const pid_t other = ::fork();
  if (other == 0) {
    if (!launch_it()) ::_exit(1);
    ::pause();
  }
  CHECK(soon([&] { return sleeping(name) == count; }));
  ::kill(other, SIGKILL);
  ::waitpid(other, nullptr, 0);
  CHECK(soon([&] { return sleeping(name) == 0; }));
}

} // namespace

TEST_SUITE("isolation") {

  TEST_CASE("isolation: a user ID is mapped to itself, but root's to 65534") {
    CHECK(id_map(1000) == "1000 1000 1\n");
    CHECK(id_map(0) == "65534 0 1\n");
  }

  TEST_CASE("isolation: the program has PID 2, below an init process without capabilities") {
    isolated run({}, {.by = either()});
    if (run.is_missing()) return;
    CHECK(run.sh("echo $$; ls -d /proc/[0-9]* | head -n 9 | tr '\\n' ' '").said.starts_with("2\n/proc/1 /proc/2 "));
    const std::string locked = "until grep -q Seccomp:.2 /proc/1/status; do sleep 0.01; done; ";
    const std::string first = run.sh(locked + "cat /proc/1/status; cat /proc/1/cmdline").said;
    for (const char* line : {"CapEff:\t0000000000000000", "CapBnd:\t0000000000000000", "NoNewPrivs:\t1", "Seccomp:\t2"})
      CHECK(first.find(line) != first.npos);
    CHECK(first.ends_with(std::string("cordon\0", 7)));
    for (const char* secret : {"readlink /proc/1/fd/3", "cat /proc/1/maps", "readlink /proc/1/exe", "ls /proc/1/root/"})
      CHECK_MESSAGE(run.sh(secret).said.empty(), secret);
    CHECK(run.sh("readlink /proc/self/exe").said == "/usr/bin/readlink\n");
  }

  TEST_CASE("isolation: the program can never read the memory of the init process") {
    isolated run({}, {.by = either()});
    if (run.is_missing()) return;
    isolation own = *run.how.isolated;
    own.ruleset_size = 0; // Landlock would refuse the access in any case
    run.how.isolated = &own;
    for (int i = 0; i < 40; ++i)
      CHECK(run.sh("for file in mem maps environ; do 3< /proc/1/$file && echo $file; done 2> /dev/null").said.empty());
    CHECK(run.sh("3< /proc/self/maps && echo maps").said == "maps\n");
  }

  TEST_CASE("isolation: the program has no capabilities and cannot gain any") {
    isolated run({}, {.by = either()});
    if (run.is_missing()) return;
    const std::string own = run.sh("cat /proc/self/status").said;
    for (const char* line : {"CapInh:\t0000000000000000", "CapPrm:\t0000000000000000", "CapEff:\t0000000000000000",
                             "CapBnd:\t0000000000000000", "CapAmb:\t0000000000000000", "NoNewPrivs:\t1", "Seccomp:\t2",
                             "SigBlk:\t0000000000000000"})
      CHECK_MESSAGE(own.find(line) != own.npos, line);
    CHECK(run.sh("cat /proc/self/uid_map").said.find(std::to_string(::geteuid())) != std::string::npos);
    CHECK(run.sh("id -u").said == std::to_string(::geteuid() == 0 ? 65534 : ::geteuid()) + "\n");
  }

  TEST_CASE("isolation: only granted paths exist, each with its own rights") {
    const work w;
    viewing::grants places = w.places();
    std::erase_if(places, [&](const format::grant& g) { return g.place == w.at("job/no/such"); });
    isolated run(std::move(places), {.by = either()});
    if (run.is_missing()) return;
    CHECK(run.sh("cat " + w.at("etc/hosts")).said == "inside");
    CHECK(run.sh("ls " + w.at("")).code != 0);
    CHECK(run.sh("cat /etc/shadow > /dev/null; echo x > " + w.at("job/new") + " && cat " + w.at("job/new")).said ==
          "x\n");
    CHECK(run.sh("echo x > " + w.at("job/a/.git/hooks/one")).code != 0);
    CHECK(run.sh("mv " + w.at("job/a") + " " + w.at("job/b")).code != 0);
    CHECK(run.sh("cat " + w.at("job/key")).code != 0);
    for (const std::string memory : {"/tmp", "/dev/shm"}) {
      const std::string own = memory + "/cordon-" + std::to_string(::getpid());
      CHECK(run.sh("echo x > " + own + " && cat " + own).said == "x\n");
      CHECK(!viewing::is_there(own));
      ::unlink(own.c_str());
    }
    CHECK(viewing::content(w.at("job/key").c_str()) == "inside");
  }

  TEST_CASE("isolation: program and working directory must be the checked ones inside the view") {
    const work w;
    isolated run({{w.at("job"), verb::write}}, {.by = either()});
    if (run.is_missing()) return;
    const prepared_command& sh = run.what("pwd; cat file; ls ..");
    command what = sh;
    const int inside = ::open(w.at("job").c_str(), O_PATH | O_CLOEXEC);
    const int outside = ::open(w.at("lib").c_str(), O_PATH | O_CLOEXEC);
    const int program = ::open("/bin/sh", O_PATH | O_CLOEXEC);
    what.program = program;
    what.cwd = inside;
    const ended e = start(what, run.how);
    CHECK(e.said == w.at("job") + "\ninside");
    CHECK(e.code != 0); // ".." cannot be listed
    what.cwd = outside;
    const ended none = start(what, run.how);
    CHECK(none.why.at == linux_shim::launch_stage::places);
    CHECK(none.why.error == ENOENT);
    for (const int fd : {inside, outside, program}) ::close(fd);
  }

  TEST_CASE("isolation: the status distinguishes death by a signal from an exit code") {
    isolated run({}, {.by = either()});
    if (run.is_missing()) return;
    CHECK(run.sh("exit 42").code == 42);
    CHECK(run.sh("kill -TERM $$").code == 128 + SIGTERM);
    for (const auto& [script, wanted] : {std::pair{"exit 137", 137 << 8}, {"kill -KILL $$", SIGKILL}}) {
      int ends[2], status = -1;
      REQUIRE(::pipe2(ends, O_CLOEXEC) == 0);
      command what = run.what(script);
      what.status = ends[1];
      CHECK(start(what, run.how).code == 137);
      ::close(ends[1]);
      CHECK(::read(ends[0], &status, sizeof status) == sizeof status);
      CHECK(status == wanted);
      ::close(ends[0]);
    }
  }

  TEST_CASE("isolation: the init process forwards signals to the program and reaps orphans") {
    isolated run({}, {.by = either()});
    if (run.is_missing()) return;
    launched child = launch(run.what("trap 'exit 7' TERM; (sleep 0.01 &); while :; do sleep 0.01; done"), run.how);
    REQUIRE(child);
    std::this_thread::sleep_for(std::chrono::milliseconds(200));
    const int first = child.init_pidfd >= 0 ? child.init_pidfd : child.pidfd;
    ::syscall(SYS_pidfd_send_signal, first, SIGTERM, nullptr, 0);
    CHECK(reap(child) == 7);
    CHECK(run.sh("(sleep 0.01 &) ; sleep 0.1; ls /proc").said.find("\n3\n") == std::string::npos);
  }

  TEST_CASE("isolation: when the program ends, its descendants end too, also in other sessions") {
    isolated run({}, {.by = either()});
    if (run.is_missing()) return;
    const std::string name = "6" + std::to_string(::getpid());
    CHECK(run.sh("setsid sleep " + name + " & setsid sh -c 'sleep " + name + " & sleep " + name + "' & sleep 0.05")
              .code == 0);
    CHECK(soon([&] { return sleeping(name) == 0; }));
    launched child = launch(run.what("setsid sleep " + name + " & sleep " + name), run.how);
    REQUIRE(child);
    CHECK(soon([&] { return sleeping(name) == 2; }));
    bring_down(child);
    CHECK(sleeping(name) == 0);
  }

  TEST_CASE("isolation: when the launcher is killed, the program and its descendants end") {
    isolated run({}, {.by = either()});
    if (run.is_missing()) return;
    const std::string name = "7" + std::to_string(::getpid());
    check_end_with_launcher(name, 2, [&] {
      // A lifeline belongs to one process; this one was copied from another.
      static isolation own = *run.how.isolated;
      int ends[2];
      if (::pipe2(ends, O_CLOEXEC) != 0) return false;
      own.lifeline = ends[0];
      run.how.isolated = &own;
      return bool(launch(run.what("setsid sleep " + name + " & sleep " + name), run.how));
    });
  }

  TEST_CASE("isolation: with the keyring ability, the program has its own session keyring") {
    isolated run({}, {.abilities = ability::keyring, .by = either()});
    if (run.is_missing()) return;
    const auto session = [](const std::string& before) {
      return before + "python3 -I -c \"import ctypes; print(ctypes.CDLL(None).syscall(" + std::to_string(SYS_keyctl) +
             ", 0, -3, 0))\"";
    };
    const long callers = ::syscall(SYS_keyctl, 0, -3, 0);
    if (callers < 0) return skip("this kernel has no keyrings, or refuses keyctl here");
    const std::string said = run.sh(session("")).said;
    CHECK(std::stol(said) > 0);
    CHECK(said != std::to_string(callers) + "\n");
  }

  TEST_CASE("isolation: reset_oom_score resets the OOM score of the init process and the program") {
    isolated run({}, {.by = either()});
    if (run.is_missing()) return;
    CHECK(apart([&] {
            std::ofstream("/proc/self/oom_score_adj") << 7 << std::flush;
            if (run.sh("cat /proc/self/oom_score_adj").said != "7\n") return 1;
            run.how.reset_oom_score = true;
            return run.sh("cat /proc/1/oom_score_adj /proc/self/oom_score_adj").said == "0\n0\n" ? 0 : 2;
          }) == 0);
  }

  TEST_CASE("isolation: System V objects, cgroup paths and network interfaces of the host are hidden") {
    isolated run({}, {.by = either()});
    if (run.is_missing()) return;
    CHECK(run.sh("wc -l < /proc/sysvipc/shm").said == "1\n");
    CHECK(run.sh("tail -n +3 /proc/net/dev | tr -d ' ' | cut -d: -f1").said == "lo\n");
    CHECK(run.sh("cat /proc/self/cgroup").said.find("/..") == std::string::npos);
  }

  TEST_CASE("isolation: processes of the run reach each other by loopback only if it is granted") {
    const enclosure by = either();
    isolated alone({}, {.loopback = true, .by = by}), mute({}, {.by = by});
    if (alone.is_missing()) return;
    const std::string serve = "python3 -I -c \"import socket; s = socket.create_server(('127.0.0.1', 0)); "
                              "socket.create_connection(s.getsockname()).sendall(b'x'); print(s.accept()[0].recv(1))\"";
    CHECK(alone.sh(serve + " 2>&1").said == "b'x'\n");
    CHECK(mute.sh(serve + " 2>&1").said.find("PermissionError") != std::string::npos);
  }

  TEST_CASE("isolation: below level network, processes of the run reach each other by sockets of their own") {
    isolated run({}, {.own = true, .by = either()});
    if (run.is_missing()) return;
    const std::string serve = "python3 -I -c \"import socket; s = socket.create_server(('127.0.0.1', 0)); "
                              "socket.create_connection(s.getsockname()).sendall(b'x'); print(s.accept()[0].recv(1))\"";
    CHECK(run.sh(serve + " 2>&1").said == "b'x'\n");
    const std::string route = "python3 -I -c \"import socket; print(socket.socket(16, socket.SOCK_RAW, ";
    CHECK(run.sh(route + "0).family)\" 2>&1").said.find("16") != std::string::npos);
    CHECK(run.sh(route + "15).family)\" 2>&1").said.find("PermissionError") != std::string::npos);
  }

  TEST_CASE("isolation: /run and its other name are the run's own") {
    isolated run({}, {.by = either()});
    if (run.is_missing()) return;
    CHECK(run.sh("echo x > /var/run/mark; cat /run/mark; ls /run").said ==
          "x\nlock\nmark\nmysqld\npostgresql\nredis\nuser\n");
    CHECK_FALSE(std::filesystem::exists("/run/mark"));
  }

  TEST_CASE("isolation: the init process and the program each lead a process group of their own") {
    isolated run({}, {.by = either()});
    if (run.is_missing()) return;
    launched child = launch(run.what("sleep 60"), run.how);
    REQUIRE(child);
    CHECK(::getpgid(child.pid) == child.pid);
    bring_down(child);
    CHECK(run.sh("kill -TERM 0; sleep 1; echo no").code == 128 + SIGTERM);
  }

  TEST_CASE("isolation: parent_death_signal ends the run with its thread, though the lifeline stays open") {
    isolated run({}, {.by = either()});
    if (run.is_missing()) return;
    const std::string name = "8" + std::to_string(::getpid());
    command what = run.what("sleep " + name);
    what.parent_death_signal = true;
    check_end_with_launcher(name, 1, [&] { return bool(launch(what, run.how)); }); // this process has the lifeline
  }

  TEST_CASE("isolation: a launch works without clone3 and close_range, and starts in its control group") {
    isolated run({});
    if (run.is_missing()) return;
    CHECK(apart([&] {
            refuse({{SYS_clone3, ENOSYS}, {SYS_close_range, ENOSYS}});
            return run.sh("exit 9").code;
          }) == 9);
    const group g;
    if (g.path.empty()) return skip("no control group (v2) can be made here");
    const std::string line = "/" + g.path.filename().string() + "\n";
    command what = run.what("sleep 60");
    what.cgroup = ::open(g.path.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC);
    const auto is_in_group = [&] {
      launched child = launch(what, run.how);
      REQUIRE(child);
      const std::string seen = viewing::content(("/proc/" + std::to_string(child.pid) + "/cgroup").c_str());
      bring_down(child);
      return seen.find(line) != seen.npos;
    };
    CHECK(is_in_group());
    CHECK(apart([&] {
            refuse({{SYS_clone3, ENOSYS}});
            return is_in_group() ? 0 : 1;
          }) == 0);
    ::close(what.cgroup);
  }

  TEST_CASE("isolation: concurrent launches from several threads leave no process or descriptor") {
    isolated run({}, {.by = either()});
    if (run.is_missing()) return;
    const prepared_command& what = run.what("exit 5");
    const auto before = open_descriptors();
    std::atomic<int> wrong = 0;
    std::vector<std::thread> threads;
    for (int i = 0; i < 16; ++i)
      threads.emplace_back([&] {
        for (int k = 0; k < 4; ++k) {
          launched child = launch(what, run.how);
          siginfo_t info{};
          forget_init(child);
          if (!child || ::waitid(P_PIDFD, static_cast<id_t>(child.pidfd), &info, WEXITED) != 0 || info.si_status != 5)
            ++wrong;
          if (child) ::close(child.pidfd);
        }
      });
    for (std::thread& t : threads) t.join();
    CHECK(wrong == 0);
    CHECK(open_descriptors() == before);
    CHECK(::waitpid(-1, nullptr, WNOHANG) == -1);
  }

  TEST_CASE("isolation: a failed launch reports its stage, and leaves no process or descriptor") {
    const work w;
    isolated run({{w.at("job"), verb::write}});
    if (run.is_missing()) return;
    const auto before = open_descriptors();
    const auto fails = [&](linux_shim::launch_stage at, int error, auto&& change) {
      isolation own = *run.how.isolated;
      confinement how = run.how;
      how.isolated = &own;
      change(own, how);
      const ended e = start(run.what("true"), how);
      CAPTURE(name(at));
      CAPTURE(name(e.why.at));
      CHECK(e.why.at == at);
      CHECK(e.why.error == error);
      CHECK(e.code == -1);
    };
    fails(linux_shim::launch_stage::view, EXDEV, [](isolation& own, confinement&) { own.view = {}; });
    fails(linux_shim::launch_stage::ids, EPERM, [](isolation& own, confinement&) { own.user_map = "0 1 1\n"; });
    fails(linux_shim::launch_stage::rules, EINVAL, [](isolation& own, confinement&) { own.ruleset.scoped = ~0ULL; });
    fails(linux_shim::launch_stage::init, EBADF, [](isolation& own, confinement&) { own.reaper = 999; });
    fails(linux_shim::launch_stage::limits, EINVAL, [](isolation&, confinement& how) {
      how.limits[how.limit_count++] = {999, 0, 0};
    });
    std::filesystem::rename(w.at("job"), w.at("other"));
    w.dir("job");
    const ended swapped = start(run.what("true"), run.how);
    CHECK(swapped.why.at == linux_shim::launch_stage::view);
    CHECK(swapped.why.error == ESTALE);
    CHECK(run.ready.describe_failure(swapped.why).find(w.at("job")) != std::string::npos);
    CHECK(open_descriptors() == before);
    CHECK(::waitpid(-1, nullptr, WNOHANG) == -1);
  }

} // TEST_SUITE

} // namespace linux_isolation_test
