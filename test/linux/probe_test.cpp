// SPDX-License-Identifier: BSL-1.0
#include "../../shims/linux/child/momentary.hpp"
#include "../../shims/linux/probe/probe.hpp"
#include "launching.hpp"

#include <csignal>
#include <cstring>
#include <sched.h>
#include <sys/mount.h>

namespace linux_probe_test {

using namespace launching;

namespace {

/// A host that supports everything.
answers good() {
  answers a;
  a.landlock_abi = 7;
  a.landlock_errata = 5;
  a.landlock_refusal = EACCES;
  a.seccomp_refusal = seccomp_asked;
  a.clone3 = true;
  a.io_uring_error = EFAULT;
  a.legacy_tiocsti = 0;
  a.cgroup_kill = true;
  a.release = "6.18.0";
  a.cgroup_directory = "/sys/fs/cgroup/user.slice";
  return a;
}

bool says(const feature& f, std::string_view part) {
  return !f && (f.reason.find(part) != f.reason.npos || f.remedy.find(part) != f.remedy.npos) && !f.remedy.empty();
}

/// The host as seen by a process with refused calls.
bool under(std::initializer_list<refusal> refused, bool (*holds)(const host&)) {
  return apart([&] {
           refuse(refused);
           return holds(probe()) ? 0 : 1;
         }) == 0;
}

} // namespace

TEST_SUITE("probe") {

  TEST_CASE("probe: a host on which everything works has every feature") {
    const host h = describe(good());
    CHECK(h.landlock_abi == 7);
    CHECK(h.landlock_errata == 5);
    for (const feature& f : {h.landlock_enforces, h.seccomp_enforces, h.namespaces, h.pidfd, h.cgroup}) {
      CHECK(f);
      CHECK(f.reason.empty());
      CHECK(f.remedy.empty());
    }
    CHECK(h.clone3_clear_sighand);
    CHECK(h.io_uring);
    CHECK_FALSE(h.legacy_tiocsti);
    CHECK(h.release == "6.18.0");
    CHECK(h.cgroup_directory == "/sys/fs/cgroup/user.slice");
  }

  TEST_CASE("probe: a feature without an answer is missing") {
    const host h = describe({});
    CHECK_FALSE(h.landlock_enforces);
    CHECK_FALSE(h.seccomp_enforces);
    CHECK_FALSE(h.cgroup);
  }

  TEST_CASE("probe: missing Landlock has its reason") {
    const auto because = [](auto change) {
      answers a = good();
      change(a);
      return describe(a).landlock_enforces;
    };
    CHECK(says(because([](answers& a) { a.landlock_abi = -EOPNOTSUPP; }), "lsm="));
    CHECK(says(because([](answers& a) { a.landlock_abi = -ENOSYS; }), "not compiled in"));
    CHECK(says(because([](answers& a) { a.landlock_abi = -EPERM; }), "filter"));
    CHECK(says(because([](answers& a) { a.landlock_error = E2BIG; }), "16"));
    CHECK(says(because([](answers& a) { a.landlock_error = EPERM; }), "cannot be entered"));
    CHECK(says(because([](answers& a) { a.landlock_refusal = 0; }), "did not refuse"));
    CHECK(says(because([](answers& a) { a.landlock_refusal = ENOENT; }), "did not refuse"));
    CHECK(says(because([](answers& a) { a.landlock_refusal = -1; }), "no directory"));
    answers none = good();
    none.landlock_abi = -ENOSYS;
    CHECK(describe(none).landlock_abi == 0);
    CHECK(describe(none).landlock_enforces.error == ENOSYS);
  }

  TEST_CASE("probe: missing seccomp has its reason") {
    answers a = good();
    a.seccomp_error = ENOSYS;
    CHECK(says(describe(a).seccomp_enforces, "not compiled in"));
    a.seccomp_error = EPERM;
    CHECK(says(describe(a).seccomp_enforces, "filter above"));
    a.seccomp_error = 0;
    a.seccomp_refusal = 0;
    CHECK(says(describe(a).seccomp_enforces, "did not fail as the filter says"));
  }

  TEST_CASE("probe: missing user namespaces have their reason") {
    const auto because = [](namespace_step at, int error, int answers::*setting = nullptr, int value = 0) {
      answers a = good();
      a.namespaces_at = at;
      a.namespaces_error = error;
      if (setting) a.*setting = value;
      return describe(a).namespaces;
    };
    using enum namespace_step;
    CHECK(says(because(clone, ENOSPC, &answers::max_namespaces, 0), "user.max_user_namespaces is 0"));
    CHECK(says(because(clone, ENOSPC, &answers::max_namespaces, 9), "too many"));
    CHECK(says(because(clone, EPERM, &answers::userns_clone, 0), "unprivileged_userns_clone=1"));
    CHECK(says(because(mount, EACCES, &answers::apparmor_userns, 1), "AppArmor"));
    CHECK(says(because(clone, EINVAL), "CONFIG_USER_NS"));
    CHECK(says(because(clone, EPERM, &answers::userns_clone, 1), "CLONE_NEWUSER"));
    CHECK(says(because(mount, EPERM), "mount is denied in it"));
    CHECK(says(because(map, EPERM), "mount is denied in it"));
    CHECK(says(because(mount, ENOSYS), "5.12"));
    // The switches do not matter to a process that passed.
    CHECK(because(none, 0, &answers::apparmor_userns, 1));
  }

  TEST_CASE("probe: a probe that lacked a resource leaves the feature untried") {
    for (const int error : {EAGAIN, ENOMEM, EMFILE, ENFILE, EINTR}) {
      answers a = good();
      a.landlock_error = a.seccomp_error = a.namespaces_error = a.bwrap_error = error;
      a.namespaces_at = namespace_step::clone;
      const host h = describe(a);
      for (const feature& f : {h.landlock_enforces, h.seccomp_enforces, h.namespaces, h.bubblewrap}) {
        CHECK(f.untried);
        CHECK(says(f, "could not be tried"));
      }
    }
    answers full = good();
    full.namespaces_at = namespace_step::clone;
    full.namespaces_error = ENOSPC;
    CHECK_FALSE(describe(full).namespaces.untried);
    full.no_room = true;
    CHECK(describe(full).namespaces.untried);
    answers missing = good();
    missing.landlock_error = EPERM, missing.seccomp_error = EINVAL, missing.namespaces_error = EPERM;
    const host h = describe(missing);
    for (const feature& f : {h.landlock_enforces, h.seccomp_enforces, h.namespaces}) CHECK_FALSE(f.untried);
  }

  TEST_CASE("probe: starts that failed for lack of a resource are momentary") {
    CHECK(is_momentary(failure{launch_stage::clone, EAGAIN}));
    CHECK(is_momentary(failure{launch_stage::fork, EAGAIN}));
    CHECK(is_momentary(failure{launch_stage::view, ENOMEM}));
    CHECK(is_momentary(failure{launch_stage::exec, EAGAIN}));
    CHECK_FALSE(is_momentary(failure{launch_stage::clone, EPERM}));
    CHECK_FALSE(is_momentary(failure{launch_stage::exec, EACCES}));
    CHECK_FALSE(is_momentary(failure{launch_stage::init, EAGAIN})); // the program has started
    failure bwrap{launch_stage::bubblewrap, ECANCELED};
    CHECK_FALSE(is_momentary(bwrap));
    std::strcpy(bwrap.words.data(), "bwrap: Creating new namespace failed: Resource temporarily unavailable");
    CHECK(is_momentary(bwrap));
  }

  TEST_CASE("probe: a start is repeated at most eight times") {
    patience left;
    int tries = 0;
    while (left.again()) ++tries;
    CHECK(tries == 8);
  }

  TEST_CASE("probe: the reason names the mount that failed") {
    answers a = good();
    a.namespaces_at = namespace_step::mount;
    a.namespaces_error = EPERM;
    a.namespaces_message = "mount a new tmpfs on /";
    CHECK(says(describe(a).namespaces, "mount is denied in it (mount a new tmpfs on /)"));
    a.namespaces_message = "mount a new proc on /proc";
    CHECK(says(describe(a).namespaces, "systempaths=unconfined"));
  }

  TEST_CASE("probe: a host with vm.memfd_noexec=1 has its reason") {
    answers a = good();
    a.own_program = false;
    for (const feature& f : {describe(a).namespaces, describe(a).bubblewrap}) CHECK(says(f, "vm.memfd_noexec=1"));
    a.namespaces_at = namespace_step::clone;
    a.namespaces_error = EPERM;
    CHECK(says(describe(a).namespaces, "CLONE_NEWUSER")); // the first reason comes first
  }

  TEST_CASE("probe: pidfd, io_uring, TIOCSTI and control groups are described") {
    answers a = good();
    a.pidfd_error = EINVAL;
    CHECK(says(describe(a).pidfd, "5.4"));
    for (const int absent : {ENOSYS, EPERM}) {
      a.io_uring_error = absent;
      CHECK_FALSE(describe(a).io_uring);
    }
    for (const int on : {1, -1}) {
      a.legacy_tiocsti = on;
      CHECK(describe(a).legacy_tiocsti);
    }
    a.cgroup_kill = false;
    CHECK(says(describe(a).cgroup, "5.14"));
    a.cgroup_error = EACCES;
    CHECK(says(describe(a).cgroup, "Delegate"));
    CHECK(describe(a).cgroup_directory.empty());
    a.cgroup_directory.clear();
    a.cgroup_error = ENOENT;
    CHECK(says(describe(a).cgroup, "version 2"));
  }

  TEST_CASE("probe: the directory for control groups is found") {
    const std::string_view unified = "25 1 0:22 / /sys/fs/cgroup rw,nosuid shared:4 - cgroup2 cgroup2 rw\n",
                           hybrid = "31 2 0:3 / /sys/fs/cgroup rw - tmpfs tmpfs rw\n"
                                    "32 31 0:29 / /sys/fs/cgroup/cpu rw - cgroup cgroup rw,cpu\n"
                                    "41 31 0:38 / /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw\n";
    CHECK(cgroup_directory("0::/user.slice/a.scope\n", unified) == "/sys/fs/cgroup/user.slice/a.scope");
    CHECK(cgroup_directory("4:cpu:/x\n0::/\n", hybrid) == "/sys/fs/cgroup/unified");
    CHECK(cgroup_directory("4:cpu:/x\n", hybrid).empty());
    CHECK(cgroup_directory("0::/a\n", "32 31 0:29 / /sys/fs/cgroup/cpu rw - cgroup cgroup rw,cpu\n").empty());
    CHECK(cgroup_directory("0::/../b\n", unified).empty());
    const std::string_view part = "25 1 0:22 /pod/one /a\\134b\\040c rw - cgroup2 none rw\n";
    CHECK(cgroup_directory("0::/pod/one/two\n", part) == "/a\\b c/two");
    CHECK(cgroup_directory("0::/pod/one\n", part) == "/a\\b c");
    CHECK(cgroup_directory("0::/pod/onetwo\n", part).empty());
    CHECK(cgroup_directory("", "").empty());
  }

  TEST_CASE("probe: probing this host leaves no process, descriptor or directory") {
    (void)probe(); // makes the objects that all launches in namespaces share
    const auto before = open_descriptors();
    const host h = probe();
    CHECK(open_descriptors() == before);
    CHECK(::waitpid(-1, nullptr, WNOHANG) == -1);
    CHECK(::prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) == 0);
    CHECK(::access("/", R_OK) == 0);
    CHECK_FALSE(h.release.empty());
    const int ruleset = ruleset_denying(1);
    CHECK((h.landlock_abi > 0) == (ruleset >= 0));
    if (ruleset >= 0) ::close(ruleset);
    const long errata = ::syscall(SYS_landlock_create_ruleset, nullptr, 0, 2);
    CHECK(h.landlock_errata == (errata > 0 ? errata : 0));
    // The same with fork, for comparison. Not with unshare(2): sanitizers start threads.
    const std::string user = std::to_string(::geteuid()), map = user + " " + user + " 1";
    int mounts = 99;
    if (const long child = ::syscall(SYS_clone, CLONE_NEWUSER | CLONE_NEWNS | SIGCHLD, 0, 0, 0, 0); child == 0) {
      if (!(std::ofstream("/proc/self/uid_map") << map << std::flush)) ::_exit(2);
      ::_exit(::mount("tmpfs", "/", "tmpfs", 0, nullptr) == 0 ? 0 : 3);
    } else if (child > 0) ::waitpid(static_cast<pid_t>(child), &mounts, 0);
    CHECK(bool(h.namespaces) == (mounts == 0));
    ::syscall(SYS_clone3, nullptr, 0);
    CHECK(h.clone3_clear_sighand == (errno == EINVAL)); // Linux 5.3 and 5.4 have the call without the flag
    if (h.cgroup)
      CHECK_FALSE(std::filesystem::exists(h.cgroup_directory + "/cordon-probe-" + std::to_string(::getpid())));
    const auto told = [](const feature& f) { return f ? std::string("works") : std::string(f.reason); };
    const std::string all = "Landlock " + std::to_string(h.landlock_abi) + " " + told(h.landlock_enforces) +
                            ", seccomp " + told(h.seccomp_enforces) + ", namespaces " + told(h.namespaces) +
                            ", cgroup " + told(h.cgroup) + " at " + h.cgroup_directory;
    MESSAGE(all);
  }

  TEST_CASE("probe: a call that reports success without effect is detected") {
    // With an errno of 0 a filter reports success for a call that was not made.
    CHECK(under({{SYS_landlock_restrict_self, 0}},
                [](const host& h) { return h.landlock_abi == 0 || says(h.landlock_enforces, "did not refuse"); }));
    CHECK(under({{SYS_seccomp, 0}},
                [](const host& h) { return says(h.seccomp_enforces, "did not fail as the filter says"); }));
  }

  TEST_CASE("probe: a refusal by a container has its reason") {
    CHECK(under({{SYS_landlock_create_ruleset, ENOSYS}},
                [](const host& h) { return h.landlock_abi == 0 && says(h.landlock_enforces, "not compiled in"); }));
    CHECK(under({{SYS_landlock_create_ruleset, EPERM}},
                [](const host& h) { return h.landlock_abi == 0 && says(h.landlock_enforces, "filter"); }));
    CHECK(under({{SYS_seccomp, EPERM}}, [](const host& h) { return says(h.seccomp_enforces, "filter"); }));
    CHECK(under({{SYS_mount, EPERM}}, [](const host& h) { return !h.namespaces && h.namespaces.error == EPERM; }));
    CHECK(under({{SYS_io_uring_setup, EPERM}}, [](const host& h) { return !h.io_uring; }));
    CHECK(under({{SYS_clone3, ENOSYS}}, [](const host& h) { return !h.clone3_clear_sighand && h.pidfd; }));
    CHECK(under({{SYS_mkdir, EROFS}, {SYS_mkdirat, EROFS}},
                [](const host& h) { return says(h.cgroup, "Delegate") || says(h.cgroup, "version 2"); }));
  }

  TEST_CASE("probe: a probe under another Landlock ruleset reports what it cannot try") {
    const int ruleset = ruleset_denying(1ULL << 3); // READ_DIR: no directory can be opened any more
    if (ruleset < 0) return skip("no Landlock on this host");
    CHECK(apart([&] {
            ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
            if (::syscall(SYS_landlock_restrict_self, ruleset, 0) != 0) return 1;
            const host h = probe();
            return says(h.landlock_enforces, "no directory") && !h.namespaces && h.seccomp_enforces ? 0 : 2;
          }) == 0);
    ::close(ruleset);
  }

} // TEST_SUITE

} // namespace linux_probe_test
