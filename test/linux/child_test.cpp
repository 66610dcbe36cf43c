// SPDX-License-Identifier: BSL-1.0
// What a program finds in its process, and what it can no longer do.
#include "launching.hpp"

#include <array>
#include <csignal>
#include <cstdlib>
#include <sstream>
#include <sys/resource.h>
#include <sys/stat.h>
#include <thread>

namespace linux_child_test {

using namespace launching;

namespace {

/// In a separate process, so that the failure of a check there is seen here.
#define CHECK_APART(...) CHECK(apart([&] { return (__VA_ARGS__) ? 0 : 1; }) == 0)

const std::string no_signals = "0000000000000000", no_capabilities = "0000000000000000";

} // namespace

TEST_SUITE("child") {

  TEST_CASE("child: a program starts with default handlers and no blocked signals") {
    CHECK_APART([] {
      for (const int s : {SIGPIPE, SIGCHLD, SIGHUP, SIGUSR1, SIGXFSZ}) ::signal(s, SIG_IGN);
      ::signal(SIGTERM, [](int) {});
      sigset_t some;
      ::sigemptyset(&some);
      for (const int s : {SIGINT, SIGTERM, SIGRTMIN + 1}) ::sigaddset(&some, s);
      ::sigprocmask(SIG_BLOCK, &some, nullptr);
      ::signal(SIGCHLD, SIG_DFL); // otherwise no child can be waited for
      const bool child = status_field("SigIgn") == no_signals && status_field("SigBlk") == no_signals &&
                         status_field("SigCgt") == no_signals;
      sigset_t now;
      ::sigprocmask(SIG_BLOCK, nullptr, &now);
      const bool parent = ::sigismember(&now, SIGTERM) && ::sigismember(&now, SIGINT) && !::sigismember(&now, SIGHUP);
      return child && parent && ::signal(SIGUSR1, SIG_DFL) == SIG_IGN;
    }());
  }

  TEST_CASE("child: a launch failure is reported although the parent ignores SIGCHLD") {
    CHECK_APART([] {
      ::signal(SIGCHLD, SIG_IGN);
      const launched child = launch(prepared_command("/no/such/program"), {});
      return !child && child.why.at == launch_stage::exec && child.why.error == ENOENT;
    }());
  }

  TEST_CASE("child: the program has its own process group and no controlling terminal") {
    const auto group_and_terminal = [](const confinement& how) {
      std::istringstream fields(shell("cut -d' ' -f1,5,6,7 /proc/$$/stat", how).said);
      std::array<int, 4> f{};
      for (int& n : f) fields >> n;
      return f;
    };
    const auto in_foreground = [] {
      std::ifstream stat("/proc/self/stat");
      std::string field;
      for (int i = 0; i < 8; ++i) stat >> field; // the program's name has no blank here
      return field == std::to_string(::getpid());
    };
    const auto in_terminal = [&](auto body) {
      return apart([&] {
        const int controller = ::posix_openpt(O_RDWR | O_NOCTTY);
        if (controller < 0 || ::grantpt(controller) != 0 || ::unlockpt(controller) != 0) return 99;
        ::setsid();
        const int tty = ::open(::ptsname(controller), O_RDWR);
        if (tty < 0 || !in_foreground()) return 98;
        const int result = body();
        return in_foreground() ? result : 97; // the parent's terminal is unchanged
      });
    };
    CHECK(in_terminal([&] {
            const auto [pid, group, session, terminal] = group_and_terminal(unconfined);
            return group == ::getpid() && session == ::getpid() && terminal != 0 ? 0 : 1;
          }) == 0);
    CHECK(in_terminal([&] {
            const auto [pid, group, session, terminal] = group_and_terminal({});
            return group == pid && session == ::getpid() && terminal == 0 &&
                           shell("exec 2>&-; : </dev/tty", {}).code != 0
                       ? 0
                       : 1;
          }) == 0);
    // If the child cannot leave the terminal, it leaves the session.
    CHECK(in_terminal([&] {
            refuse({{SYS_ioctl, ENOTTY}});
            const auto [pid, group, session, terminal] = group_and_terminal({});
            return group == pid && session == pid && terminal == 0 ? 0 : 1;
          }) == 0);
    CHECK(apart([&] {
            ::setsid(); // no terminal at all
            const auto [pid, group, session, terminal] = group_and_terminal({});
            return group == pid && session == ::getpid() && terminal == 0 ? 0 : 1;
          }) == 0);
  }

  TEST_CASE("child: the hook runs in the child before the confinement, and its descriptors are closed") {
    static int pid_seen, id_of_parent;
    id_of_parent = ::getpid();
    prepared_command what("/bin/ls", {"/proc/self/fd"});
    what.hook = [](void* data) noexcept {
      pid_seen = static_cast<int>(::syscall(SYS_getpid));
      *static_cast<int*>(data) = ::open("/etc/passwd", O_RDWR); // needs root, and no Landlock
      return ::chdir("/usr") == 0 ? 0 : errno;
    };
    int opened = -1;
    what.hook_data = &opened;
    const int ruleset = ruleset_denying(1ULL << 1); // WRITE_FILE
    confinement how;
    how.ruleset = ruleset;
    const ended e = start(what, how);
    CHECK(e.said == "0\n1\n2\n3\n"); // 3: the listed directory
    CHECK(pid_seen != id_of_parent);
    if (::geteuid() == 0) CHECK(opened > 2);
    if (ruleset >= 0) ::close(ruleset);
  }

  TEST_CASE("child: the program starts in the requested directory") {
    const shared_directory dir;
    prepared_command pwd("/bin/pwd");
    pwd.cwd = ::open(dir.path.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC);
    CHECK(start(pwd).said == dir.path.string() + "\n");
    ::close(pwd.cwd);
    pwd.cwd = -1;
    CHECK(start(pwd).said == std::filesystem::current_path().string() + "\n");
  }

  TEST_CASE("child: the program keeps the parent's umask") {
    const mode_t before = ::umask(027);
    CHECK(shell("umask", {}).said == "0027\n");
    ::umask(before);
  }

  TEST_CASE("child: resource limits are set in the program alone") {
    confinement how;
    how.limits[0] = {RLIMIT_CORE, 0, 0};
    how.limits[1] = {RLIMIT_NOFILE, 50, 60};
    how.limits[2] = {RLIMIT_FSIZE, 4096, 8192};
    how.limit_count = 3;
    CHECK(shell("ulimit -c; ulimit -n; ulimit -Hn; ulimit -f; ulimit -Hf", how).said == "0\n50\n60\n8\n16\n");
    how.limit_count = 2;
    CHECK(shell("ulimit -Hf", how).said == "unlimited\n");
    rlimit own{};
    ::getrlimit(RLIMIT_NOFILE, &own);
    CHECK(own.rlim_max > 60);
  }

  TEST_CASE("child: the program has no_new_privs and no capabilities") {
    CHECK(status_field("NoNewPrivs", {}) == "1");
    CHECK(status_field("NoNewPrivs") == std::to_string(::prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0)));
    const int dumpable = ::prctl(PR_GET_DUMPABLE);
    for (const char* set : {"CapInh", "CapPrm", "CapEff", "CapAmb"}) CHECK(status_field(set, {}) == no_capabilities);
    CHECK(::prctl(PR_GET_DUMPABLE) == dumpable);
    CHECK(::prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) == 0);
    if (::geteuid() != 0) return;
    CHECK(status_field("CapEff") != no_capabilities);
    // An ambient capability survives exec of a program without privileges.
    CHECK_APART([] {
      std::uint32_t header[2]{0x20080522, 0}, sets[6]{};
      ::syscall(SYS_capget, header, sets);
      sets[2] |= 1U << 10;
      ::syscall(SYS_capset, header, sets);
      ::prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_RAISE, 10, 0, 0);
      return status_field("CapAmb") != no_capabilities && status_field("CapAmb", {}) == no_capabilities &&
             status_field("CapInh", {}) == no_capabilities;
    }());
    // Without CAP_SETPCAP the secure bits cannot be set, and exec by root still gives nothing back.
    CHECK_APART([] {
      std::uint32_t header[2]{0x20080522, 0}, sets[6]{};
      ::syscall(SYS_capget, header, sets);
      sets[0] &= ~(1U << 8), sets[1] &= ~(1U << 8);
      ::syscall(SYS_capset, header, sets);
      return status_field("CapPrm", {}) == no_capabilities;
    }());
    CHECK_APART([] {
      if (::setgid(65534) != 0 || ::setuid(65534) != 0) return false;
      return status_field("CapPrm", {}) == no_capabilities && shell("exit 7", {}).code == 7;
    }());
  }

  TEST_CASE("child: the Landlock ruleset is enforced") {
    const int ruleset = ruleset_denying(1ULL << 1 | 1ULL << 8); // WRITE_FILE, MAKE_REG
    if (ruleset < 0) return skip("no Landlock on this host");
    const shared_directory dir;
    const std::string file = dir.write("file", "old\n"),
                      script = "cd " + dir.path.string() + "; exec 2>&-; (echo new >file); cat file";
    confinement how;
    how.ruleset = ruleset;
    CHECK(shell(script.c_str(), how).said == "old\n");
    CHECK(shell(script.c_str()).said == "new\n");
    how.landlock_flags = 1U << 31;
    const launched child = launch(prepared_command("/bin/true"), how);
    CHECK_FALSE(child);
    CHECK(child.why.at == launch_stage::landlock);
    ::close(ruleset);
  }

  TEST_CASE("child: the seccomp filter is enforced") {
    const auto code = refusing({{SYS_mkdir, EXDEV}, {SYS_mkdirat, EXDEV}});
    confinement how;
    how.filter = code.data();
    how.filter_length = static_cast<std::uint16_t>(code.size());
    const shared_directory dir;
    const std::string script = "mkdir " + dir.path.string() + "/made 2>/dev/null && echo made";
    CHECK(shell(script.c_str(), how).said.empty());
    CHECK(status_field("Seccomp", how) == "2");
    CHECK(shell(script.c_str()).said == "made\n");
  }

  TEST_CASE("child: with parent_death_signal the program dies with the thread that started it") {
    prepared_command sleep("/bin/sleep", {"1000"});
    sleep.parent_death_signal = true;
    launched child;
    std::thread([&] { child = launch(sleep, {}); }).join();
    REQUIRE(child);
    CHECK(reap(child) == 128 + SIGKILL);
    CHECK(apart([] {
            refuse({{SYS_prctl, EPERM, PR_SET_PDEATHSIG}});
            prepared_command program("/bin/true");
            program.parent_death_signal = true;
            const launched refused = launch(program, {});
            return refused.why.at == launch_stage::parent && refused.why.error == EPERM ? 0 : 1;
          }) == 0);
  }

} // TEST_SUITE

} // namespace linux_child_test
