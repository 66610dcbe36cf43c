// SPDX-License-Identifier: BSL-1.0
#include "launching.hpp"

#include <atomic>
#include <csignal>
#include <sys/stat.h>
#include <thread>

namespace linux_vfork_test {

using namespace launching;

namespace {} // namespace

TEST_SUITE("vfork") {

  TEST_CASE("vfork: a launch works where a filter refuses clone3") {
    for (const int error : {ENOSYS, EPERM, EINVAL, E2BIG})
      CHECK(apart([&] {
              refuse({{SYS_clone3, error}});
              ::signal(SIGUSR1, [](int) {});
              ::signal(SIGPIPE, SIG_IGN);
              ::signal(SIGRTMIN + 2, SIG_IGN);
              const bool clear =
                  status_field("SigCgt") == "0000000000000000" && status_field("SigIgn") == "0000000000000000";
              return clear && shell("exit 9", {}).code == 9 ? 0 : 1;
            }) == 0);
  }

  TEST_CASE("vfork: a signal that is pending at the launch stays pending in the parent") {
    CHECK(apart([] {
            sigset_t one;
            ::sigemptyset(&one);
            ::sigaddset(&one, SIGUSR1);
            ::sigprocmask(SIG_BLOCK, &one, nullptr);
            ::raise(SIGUSR1);
            const bool ran = shell("exit 3", {}).code == 3;
            sigset_t pending;
            ::sigpending(&pending);
            return ran && ::sigismember(&pending, SIGUSR1) ? 0 : 1;
          }) == 0);
  }

  TEST_CASE("vfork: handlers of the parent never run in a child") {
    static std::atomic<int> strange;
    CHECK(apart([] {
            static pid_t self;
            self = ::getpid();
            ::setpgid(0, 0);
            ::signal(SIGURG, [](int) { strange += ::syscall(SYS_getpid) != self; });
            std::atomic<bool> done{false};
            std::thread storm([&] {
              while (!done) ::kill(0, SIGURG), std::this_thread::yield();
            });
            int failures = 0;
            for (int i = 0; i < 200; ++i) failures += reap(launch(prepared_command("/bin/true"), unconfined)) != 0;
            done = true;
            storm.join();
            return failures == 0 && strange == 0 ? 0 : 1;
          }) == 0);
  }

  TEST_CASE("vfork: a child starts without the parent's handlers, for every signal") {
    prepared_command what("/bin/true");
    what.hook = [](void* wrong) noexcept {
      for (int signal = 1; signal < SIGRTMAX; ++signal) {
        struct sigaction now {};
        if (::sigaction(signal, nullptr, &now) == 0 && now.sa_handler != SIG_DFL) *static_cast<int*>(wrong) = signal;
      }
      return 0;
    };
    int wrong = 0;
    what.hook_data = &wrong;
    for (const int signal : {SIGTERM, SIGRTMIN + 3}) ::signal(signal, [](int) {});
    CHECK(start(what).code == 0);
    for (const int signal : {SIGTERM, SIGRTMIN + 3}) ::signal(signal, SIG_DFL);
    CHECK(wrong == 0);
  }

  TEST_CASE("vfork: many threads launch at once while others use memory and descriptors") {
    std::atomic<bool> done{false};
    std::thread churn([&] {
      while (!done) {
        std::vector<std::string> some(100, std::string(200, 'x'));
        ::close(::open("/dev/null", O_RDONLY));
      }
    });
    std::atomic<int> wrong{0};
    std::vector<std::thread> threads;
    for (int t = 0; t < 8; ++t)
      threads.emplace_back([&wrong, t] {
        for (int i = 0; i < 50; ++i) {
          const std::string script = "exit " + std::to_string(t * 8 + i % 8);
          const prepared_command good("/bin/sh", {"-c", script.c_str()}), bad("/no/such/program");
          const launched child = launch(good, {}), none = launch(bad, {});
          siginfo_t info{};
          ::waitid(P_PIDFD, static_cast<id_t>(child.pidfd), &info, WEXITED);
          ::close(child.pidfd);
          if (info.si_status != t * 8 + i % 8) ++wrong;
          if (none || none.why.at != launch_stage::exec || none.why.error != ENOENT) ++wrong;
        }
      });
    for (auto& t : threads) t.join();
    done = true;
    churn.join();
    CHECK(wrong == 0);
  }

  TEST_CASE("vfork: a child starts inside its control group") {
    const group g;
    if (g.path.empty()) return skip("no control group (v2) can be made here");
    prepared_command cat("/bin/cat", {"/proc/self/cgroup"});
    cat.cgroup = ::open(g.path.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC);
    REQUIRE(cat.cgroup >= 0);
    const std::string line = "/" + g.path.filename().string() + "\n";
    CHECK(start(cat, {}).said.find(line) != std::string::npos);
    CHECK(apart([&] {
            refuse({{SYS_clone3, ENOSYS}});
            return start(cat, {}).said.find(line) != std::string::npos ? 0 : 1;
          }) == 0);
    ::close(cat.cgroup);
    cat.cgroup = ::open("/usr", O_PATH | O_DIRECTORY | O_CLOEXEC);
    CHECK(start(cat, {}).why.at == launch_stage::clone);
    CHECK(apart([&] {
            refuse({{SYS_clone3, ENOSYS}});
            const failure why = start(cat, {}).why;
            return why.at == launch_stage::cgroup && why.error == ENOENT ? 0 : 1;
          }) == 0);
    ::close(cat.cgroup);
  }

} // TEST_SUITE

} // namespace linux_vfork_test
