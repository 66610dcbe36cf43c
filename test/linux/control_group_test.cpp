// SPDX-License-Identifier: BSL-1.0
#include "viewing.hpp"

#include "../../shims/linux/probe/probe.hpp"
#include <cordon/linux/control_group.hpp>
#include <cordon/linux/prepare.hpp>

#include <csignal>
#include <poll.h>
#include <unistd.h>

namespace linux_control_group_test {

using namespace cordon;
using namespace launching;

namespace {

limits of(limit l, std::uint64_t value) {
  limits wanted;
  wanted.set(l, value);
  return wanted;
}

/// The output of a shell script in the groups of a limit; skipped if no group can be made.
ended in_groups(const control_group& g, const std::string& script) {
  prepared_command sh("/bin/sh", {"-c", script.c_str()});
  sh.groups = g.directories();
  static char path[] = "PATH=/usr/bin:/bin", *environment[]{path, nullptr};
  sh.envp = environment;
  return start(sh, {});
}

/// Control groups that a process has made for its runs.
std::size_t groups_of(pid_t pid) {
  const std::string groups = viewing::content("/proc/self/cgroup"), mounts = viewing::content("/proc/self/mountinfo");
  std::size_t count = 0;
  for (const char* controller : {"", "memory", "pids"})
    if (const std::string parent = cgroup_directory(groups, mounts, controller); !parent.empty())
      for (const auto& entry : std::filesystem::directory_iterator(parent))
        count += entry.path().filename().string().starts_with("cordon-run-" + std::to_string(pid) + "-") ? 1 : 0;
  return count;
}

} // namespace

TEST_SUITE("control group") {

  TEST_CASE("control_group: the directory of a version 1 controller is found") {
    const std::string_view mounts = "35 31 0:32 / /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory\n"
                                    "36 31 0:33 / /sys/fs/cgroup/cpu rw - cgroup none rw,cpu,cpuacct\n"
                                    "41 31 0:38 / /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw,nsdelegate\n";
    const std::string_view own = "4:memory:/a/b\n2:cpu,cpuacct:/\n0::/c\n";
    CHECK(cgroup_directory(own, mounts, "memory") == "/sys/fs/cgroup/memory/a/b");
    CHECK(cgroup_directory(own, mounts, "cpuacct") == "/sys/fs/cgroup/cpu");
    CHECK(cgroup_directory(own, mounts, "pids").empty());
    CHECK(cgroup_directory(own, mounts) == "/sys/fs/cgroup/unified/c");
    CHECK(cgroup_directory("4:memory:/../x\n", mounts, "memory").empty());
  }

  TEST_CASE("control_group: without limits, no control group is made") {
    const control_group g({}, 0);
    CHECK(g.directories().empty());
    CHECK(g.holds(limit::memory).empty());
  }

  TEST_CASE("control_group: the memory limit holds for all processes of a run together") {
    {
      const control_group g(of(limit::memory, 64 << 20), 0);
      if (g.holds(limit::memory).empty()) return skip("no control group for memory can be made here");
      CHECK(groups_of(::getpid()) == 1);
      const std::string take = "python3 -I -c \"b = bytearray(%d << 20); print(len(b) >> 20)\"";
      const auto taking = [&](int megabytes) {
        char words[128];
        std::snprintf(words, sizeof words, take.c_str(), megabytes);
        return std::string(words);
      };
      CHECK(in_groups(g, taking(20)).said == "20\n");
      CHECK(in_groups(g, taking(200)).code == 128 + SIGKILL);
      // Each of four processes is within the limit, all together exceed it: one is killed, and the shell does not
      // answer.
      const std::string four =
          "python3 -I -c \"import os, time\nn = [os.fork() for _ in 'ab']\nb = bytearray(30 << 20)\n"
          "time.sleep(0.3)\nprint('fine', end=' ')\"";
      CHECK(in_groups(g, four + "; sleep 0.6").said.find("fine fine fine fine") == std::string::npos);
      for (const int left : g.end()) { // on a busy machine some processes still work
        pollfd gone{left, POLLIN, 0};
        CHECK(::poll(&gone, 1, 10'000) == 1);
        ::close(left);
      }
    }
    CHECK(groups_of(::getpid()) == 0);
  }

  TEST_CASE("control_group: the process limit counts the processes of the run alone, also for root") {
    const control_group g(of(limit::processes, 5), 0);
    if (g.holds(limit::processes).empty()) return skip("no control group for processes can be made here");
    CHECK(in_groups(g, "for i in 1 2 3; do sleep 0.2 & done; wait; echo fine").said == "fine\n");
    CHECK(in_groups(g, "for i in 1 2 3 4 5 6 7; do sleep 0.2 & done; wait; echo fine").said != "fine\n");
  }

  TEST_CASE("control_group: a limit reports that the control group enforces it") {
    const limits wanted = of(limit::processes, 9);
    const control_group g(wanted, 0);
    if (g.holds(limit::processes).empty()) return skip("no control group for processes can be made here");
    loaded_policy p;
    p.limits = wanted;
    const prepared ready = prepare(p, {.confine = false, .environment = {}, .group = &g});
    REQUIRE(ready.limits().size() == 1);
    CHECK(ready.limits()[0].grade == "enforced");
    CHECK(ready.limits()[0].by == "pids.max, of the whole tree");
    CHECK(ready.confinement().limit_count == 1); // only that of dumps
  }

  TEST_CASE("control_group: control groups of a killed process are removed") {
    std::fflush(nullptr);
    const pid_t other = ::fork();
    if (other == 0) {
      const control_group g(of(limit::processes, 9), 0);
      ::raise(SIGKILL);
    }
    ::waitpid(other, nullptr, 0);
    const std::size_t before = groups_of(other);
    const control_group g(of(limit::processes, 9), 0);
    if (g.holds(limit::processes).empty()) return skip("no control group for processes can be made here");
    CHECK(before == 1);
    CHECK(groups_of(other) == 0);
  }

} // TEST_SUITE

} // namespace linux_control_group_test
