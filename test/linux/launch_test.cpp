// SPDX-License-Identifier: BSL-1.0
#include "../holds.hpp"
#include "launching.hpp"

#include <csignal>
#include <sys/resource.h>

namespace linux_launch_test {

using namespace launching;

namespace {

void check_failure(const ended& e, launch_stage at, int error) {
  CAPTURE(name(e.why.at));
  CHECK(e.why.at == at);
  CHECK(e.why.error == error);
  CHECK(e.code == -1);
}

/// The step in which a launch fails if this process may not make a certain call.
int fails_in(launch_stage expected, int error, std::initializer_list<refusal> refused, const confinement& how = {}) {
  return apart([&] {
    refuse(refused);
    const prepared_command program("/bin/true");
    const launched child = launch(program, how);
    if (child) return 1;
    if (child.why.at != expected) return 2;
    return child.why.error == error ? 0 : 3;
  });
}

} // namespace

TEST_SUITE("launch") {

  TEST_CASE("launch: every stage has a name") {
    HOLDS(name(launch_stage::none) == "none");
    HOLDS(name(launch_stage::clone) == "clone");
    HOLDS(name(launch_stage::cgroup) == "cgroup");
    HOLDS(name(launch_stage::parent) == "parent");
    HOLDS(name(launch_stage::session) == "session");
    HOLDS(name(launch_stage::stdio) == "stdio");
    HOLDS(name(launch_stage::hook) == "hook");
    HOLDS(name(launch_stage::descriptors) == "descriptors");
    HOLDS(name(launch_stage::directory) == "directory");
    HOLDS(name(launch_stage::limits) == "limits");
    HOLDS(name(launch_stage::privileges) == "privileges");
    HOLDS(name(launch_stage::landlock) == "landlock");
    HOLDS(name(launch_stage::capabilities) == "capabilities");
    HOLDS(name(launch_stage::signals) == "signals");
    HOLDS(name(launch_stage::seccomp) == "seccomp");
    HOLDS(name(launch_stage::exec) == "exec");
  }

  TEST_CASE("launch: a program starts, and its exit code or signal is reported") {
    CHECK(start(prepared_command("/bin/true")).code == 0);
    CHECK(start(prepared_command("/bin/false")).code == 1);
    CHECK(shell("echo hello; exit 42").said == "hello\n");
    CHECK(shell("kill -9 $$").code == 128 + SIGKILL);
    CHECK(shell("exit 42", {}).code == 42);
  }

  TEST_CASE("launch: arguments and environment are passed as they are") {
    prepared_command env("/usr/bin/env");
    char first[] = "A=1", second[] = "B=two words";
    char* variables[]{first, second, nullptr};
    env.envp = variables;
    CHECK(start(env).said == "A=1\nB=two words\n");
    CHECK(start(prepared_command("/bin/echo", {"", "a b", "-"})).said == " a b -\n");
  }

  TEST_CASE("launch: a failure reports its stage") {
    prepared_command program("/bin/true");

    SUBCASE("stdio") {
      program.stdio = {-1, -1, 999};
      check_failure(start(program), launch_stage::stdio, EBADF);
    }
    SUBCASE("hook") {
      program.hook = [](void*) noexcept { return EXDEV; };
      check_failure(start(program), launch_stage::hook, EXDEV);
    }
    SUBCASE("descriptors") {
      const int keep[]{999};
      program.keep = keep;
      check_failure(start(program), launch_stage::descriptors, EBADF);
    }
    SUBCASE("directory") {
      program.cwd = ::open("/bin/true", O_PATH | O_CLOEXEC);
      check_failure(start(program), launch_stage::directory, ENOTDIR);
      ::close(program.cwd);
    }
    SUBCASE("limits") {
      confinement how;
      how.limits[0] = {RLIMIT_NOFILE, 2, 1};
      how.limit_count = 1;
      check_failure(start(program, how), launch_stage::limits, EINVAL);
      how.limit_count = 17;
      check_failure(start(program, how), launch_stage::limits, E2BIG);
    }
    SUBCASE("landlock") {
      confinement how;
      how.ruleset = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
      const bool there = ruleset_denying(1) >= 0;
      check_failure(start(program, how), launch_stage::landlock, there ? EBADFD : ENOSYS);
      ::close(how.ruleset);
    }
    SUBCASE("seccomp") {
      const sock_filter nothing{};
      confinement how;
      how.filter = &nothing;
      check_failure(start(program, how), launch_stage::seccomp, EINVAL);
    }
  }

  TEST_CASE("launch: a system call that fails in the launcher fails the launch in its stage") {
    CHECK(fails_in(launch_stage::clone, EAGAIN, {{SYS_clone3, ENOSYS}, {SYS_clone, EAGAIN}}) == 0);
    CHECK(fails_in(launch_stage::session, EPERM, {{SYS_setpgid, EPERM}, {SYS_setsid, EPERM}}) == 0);
    CHECK(fails_in(launch_stage::privileges, EPERM, {{SYS_prctl, EPERM, PR_SET_NO_NEW_PRIVS}}) == 0);
    CHECK(fails_in(launch_stage::capabilities, EPERM, {{SYS_capset, EPERM}}) == 0);
    CHECK(fails_in(launch_stage::exec, EPERM, {{SYS_execve, EPERM}}) == 0);
    // Only no_new_privs makes the secure bits unnecessary.
    CHECK(fails_in(launch_stage::capabilities, EPERM, {{SYS_prctl, EPERM, PR_SET_SECUREBITS}},
                   {.no_new_privs = false}) == 0);
  }

  TEST_CASE("launch: reset_oom_score resets the OOM score of the program alone") {
    // Only root could go below 0; the step is the same for a process that has gone above.
    CHECK(apart([] {
            std::ofstream("/proc/self/oom_score_adj") << 7 << std::flush;
            const prepared_command cat("/bin/cat", {"/proc/self/oom_score_adj"});
            const bool inherits = start(cat).said == "7\n", loses = start(cat, {.reset_oom_score = true}).said == "0\n";
            int own = 0;
            std::ifstream("/proc/self/oom_score_adj") >> own;
            return inherits && loses && own == 7 ? 0 : 1;
          }) == 0);
  }

  TEST_CASE("launch: a program that cannot be executed fails in stage exec") {
    const shared_directory dir;
    check_failure(start(prepared_command("/no/such/program")), launch_stage::exec, ENOENT);
    check_failure(start(prepared_command("/tmp")), launch_stage::exec, EACCES);
    check_failure(start(prepared_command("/etc/passwd")), launch_stage::exec, EACCES);
    check_failure(start(prepared_command(dir.write("text", "no program").c_str())), launch_stage::exec, ENOEXEC);
    check_failure(start(prepared_command(dir.write("script", "#!/no/such/interpreter\n").c_str())), launch_stage::exec,
                  ENOENT);
  }

  TEST_CASE("launch: a failure leaves neither a child nor a descriptor") {
    const auto before = open_descriptors();
    for (int i = 0; i < 200; ++i) CHECK(start(prepared_command("/no/such/program")).code == -1);
    CHECK(open_descriptors() == before);
    CHECK(::waitpid(-1, nullptr, WNOHANG) == -1);
    CHECK(errno == ECHILD);
  }

  TEST_CASE("launch: a thousand launches leave no process or descriptor") {
    const auto before = open_descriptors();
    for (int i = 0; i < 1000; ++i) CHECK(reap(launch(prepared_command("/bin/true"), {})) == 0);
    CHECK(open_descriptors() == before);
    CHECK(::waitpid(-1, nullptr, WNOHANG) == -1);
    CHECK(errno == ECHILD);
  }

  TEST_CASE("launch: bring_down kills the program and closes its descriptor") {
    launched child = launch(prepared_command("/bin/sleep", {"1000"}), {});
    REQUIRE(child);
    const auto with_it = open_descriptors();
    bring_down(child);
    CHECK_FALSE(child);
    CHECK(open_descriptors() == with_it - 1);
    CHECK(::waitpid(-1, nullptr, WNOHANG) == -1);
  }

  TEST_CASE("launch: a child that is killed before exec is a failed launch") {
    prepared_command program("/bin/true");
    program.hook = [](void*) noexcept {
      ::syscall(SYS_kill, ::syscall(SYS_getpid), SIGKILL);
      return 0;
    };
    check_failure(start(program), launch_stage::hook, ECANCELED);
  }

  TEST_CASE("launch: a filter that denies exec and exit fails the launch") {
    const auto code = refusing({{SYS_execve, EPERM}, {SYS_execveat, EPERM}, {SYS_exit_group, EPERM}});
    confinement how;
    how.filter = code.data();
    how.filter_length = static_cast<std::uint16_t>(code.size());
    check_failure(start(prepared_command("/bin/true"), how), launch_stage::exec, EPERM);
  }

  TEST_CASE("launch: the opened file runs, even if another now has its name") {
    const shared_directory dir;
    const auto program = dir.path / "program";
    std::filesystem::copy_file("/bin/true", program);
    prepared_command what(program.c_str());
    what.program = ::open(program.c_str(), O_PATH | O_CLOEXEC);
    std::filesystem::remove(program);
    std::filesystem::copy_file("/bin/false", program);
    CHECK(start(what).code == 0);
    what.path = nullptr;
    CHECK(start(what).code == 0);
    ::close(what.program);
    what.path = "/bin/true"; // not used as a fallback
    what.program = ::open("/etc/passwd", O_PATH | O_CLOEXEC);
    check_failure(start(what), launch_stage::exec, EACCES);
    ::close(what.program);
  }

  TEST_CASE("launch: a script is started by its path, not by its descriptor") {
    const shared_directory dir;
    const std::string script = dir.write("script", "#!/bin/sh\necho \"$0 $1\"\n");
    prepared_command what(script.c_str(), {"x"});
    what.program = ::open(script.c_str(), O_PATH | O_CLOEXEC);
    CHECK(start(what).said == script + " x\n");
    what.path = nullptr;
    check_failure(start(what), launch_stage::exec, ENOENT);
    what.path = script.c_str();
    std::filesystem::rename(script, dir.path / "other");
    check_failure(start(what), launch_stage::exec, ENOENT);
    dir.write("script", "#!/bin/sh\necho another\n");
    check_failure(start(what), launch_stage::exec, ESTALE);
    ::close(what.program);
  }

} // TEST_SUITE

} // namespace linux_launch_test
