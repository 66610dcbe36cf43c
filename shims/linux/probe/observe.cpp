// SPDX-License-Identifier: BSL-1.0
#include "../child/momentary.hpp"
#include "../child/raw_syscall.hpp"
#include "../child/read_file.hpp"
#include "../child/vfork.hpp"
#include "../files/memory_file.hpp"
#include "../isolation/init_isolated.hpp"
#include "../isolation/planned_isolation.hpp"
#include "probe.hpp"

#include <cordon/run/resolve.hpp>

#include <cstddef>
#include <fcntl.h>
#include <fstream>
#include <iterator>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <span>
#include <string>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <unistd.h>

namespace cordon::linux_shim {
namespace {

/// The inputs of a trial child and its results, in memory shared with the parent.
struct trial {
  answers& to;
  int ruleset = -1;
  const char* directory = nullptr;
  const char* user_map = nullptr;
  const char* group_map = nullptr;
  std::span<const view_step> view{};
};

template <void (*Act)(trial&) noexcept> void child(void* data) noexcept {
  Act(*static_cast<trial*>(data));
  for (;;) raw_syscall(SYS_exit_group, 0);
}

/// Returns: the errno of making the child, or 0.
template <void (*Act)(trial&) noexcept> int in_child(trial& t, std::uint64_t flags = 0) {
  int no_group = -1;
  vforked made = vfork_run(flags, no_group, child<Act>, &t);
  if (made.error) return made.error;
  bring_down(made);
  return 0;
}

int open_directory(const char* path) noexcept {
  return static_cast<int>(raw_syscall(SYS_openat, AT_FDCWD, path, O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0));
}

void enter_ruleset(trial& t) noexcept {
  if (t.ruleset < 0) return;
  t.to.landlock_error = error_of(SYS_landlock_restrict_self, t.ruleset, 0);
  if (t.to.landlock_error) return;
  const int opened = open_directory(t.directory);
  t.to.landlock_refusal = opened < 0 ? -opened : 0;
}

void enter_filter(trial& t) noexcept {
  const sock_filter code[]{
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_getppid, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | static_cast<unsigned>(seccomp_asked)),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
  };
  const sock_fprog program{std::size(code), const_cast<sock_filter*>(code)};
  t.to.seccomp_error = error_of(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program);
  if (!t.to.seccomp_error) t.to.seccomp_refusal = error_of(SYS_getppid);
}

void enter_both(trial& t) noexcept {
  raw_syscall(SYS_prctl, PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
  enter_ruleset(t);
  enter_filter(t);
}

/// Makes a ruleset that denies everything, and finds a directory that can be opened without it.
void make_ruleset(trial& t) {
  constexpr int version = 1, errata = 2; // query flags of landlock_create_ruleset(2)
  answers& a = t.to;
  a.landlock_abi = static_cast<int>(raw_syscall(SYS_landlock_create_ruleset, nullptr, 0, version));
  if (a.landlock_abi <= 0) return;
  if (const long mask = raw_syscall(SYS_landlock_create_ruleset, nullptr, 0, errata); mask > 0)
    a.landlock_errata = static_cast<std::uint32_t>(mask);
  // Under another ruleset, or in a container, some directories cannot be opened. One that can is enough.
  for (const char* candidate : {"/", "/usr", ".", "/etc", "/proc/self"}) {
    const int fd = open_directory(candidate);
    if (is_momentary(-fd)) return static_cast<void>(a.landlock_error = -fd);
    if (fd < 0) continue;
    ::close(fd);
    t.directory = candidate;
    break;
  }
  if (!t.directory) return static_cast<void>(a.landlock_refusal = -1);
  const std::uint64_t read_directory = 1 << 3; // LANDLOCK_ACCESS_FS_READ_DIR, ABI 1
  t.ruleset = static_cast<int>(raw_syscall(SYS_landlock_create_ruleset, &read_directory, sizeof read_directory, 0));
  if (t.ruleset < 0) a.landlock_error = -t.ruleset;
}

void ask_filters(answers& a) {
  patience left;
  do {
    trial t{a};
    a.landlock_error = a.landlock_refusal = a.seccomp_error = 0;
    make_ruleset(t);
    if (const int error = in_child<enter_both>(t)) a.landlock_error = a.seccomp_error = error;
    if (t.ruleset >= 0) ::close(t.ruleset);
  } while ((is_momentary(a.landlock_error) || is_momentary(a.seccomp_error)) && left.again());
}

void enter_namespaces(trial& t) noexcept {
  const auto failed = [&](namespace_step at, long answer) {
    if (answer >= 0) return false;
    t.to.namespaces_at = at;
    t.to.namespaces_error = static_cast<int>(-answer);
    return true;
  };
  if (failed(namespace_step::map, -map_ids(t.user_map, t.group_map))) return;
  std::uint32_t at = 0;
  if (failed(namespace_step::mount, -enter_view(t.view, at))) return static_cast<void>(t.to.namespaces_part = at);
  const int opened = open_directory("/usr");
  t.to.namespaces_refusal = opened < 0 ? -opened : 0;
}

void ask_namespaces(answers& a) {
  // The view of a policy that grants nothing: the trial runs every step of a real run.
  const auto nothing = namespaces::compile(loaded_policy(), {});
  const linux_shim::view empty(nothing.rules, {});
  const std::string user = id_map(::geteuid()), group = id_map(::getegid());
  trial t{a};
  t.view = empty.steps();
  t.user_map = user.c_str();
  t.group_map = group.c_str();
  constexpr std::uint64_t all =
      CLONE_NEWUSER | CLONE_NEWNS | CLONE_NEWPID | CLONE_NEWIPC | CLONE_NEWUTS | CLONE_NEWCGROUP | CLONE_NEWNET;
  patience left;
  do {
    a.namespaces_at = {};
    a.namespaces_error = 0;
    if (const int error = in_child<enter_namespaces>(t, all)) {
      a.namespaces_at = namespace_step::clone;
      a.namespaces_error = error;
    }
  } while (is_momentary_of_namespaces(a.namespaces_error) && left.again());
  a.no_room = a.namespaces_error == ENOSPC && is_momentary_of_namespaces(ENOSPC);
  if (a.namespaces_at == namespace_step::mount) a.namespaces_message = empty.describe_step(a.namespaces_part);
  try {
    (void)reaper_program();
  } catch (const no_own_program&) { a.own_program = false; }
}

void ask_bubblewrap(answers& a) try {
  const auto nothing = on_linux::compile(loaded_policy(), on_linux::basic_target<on_linux::bwrap_view>{
                                                              .landlock_abi = 0, .view = {.first_process = true}});
  const planned_isolation empty(nothing.rules, {});
  confinement how;
  how.isolated = &empty.get();
  const descriptor hidden(open_directory("/usr"));
  char* const none[]{nullptr};
  command what{.path = "/", .argv = none, .envp = none, .cwd = hidden.get()};
  launched child;
  patience left;
  do { child = launch(what, how); } while (!child && is_momentary(child.why) && left.again());
  if (child) bring_down(child);
  if (!child && is_momentary(child.why)) return static_cast<void>(a.bwrap_error = EAGAIN);
  if (child.why.at == launch_stage::places) return static_cast<void>(a.bwrap_refusal = child.why.error);
  a.bwrap_refusal = 0;
  a.bwrap_message = child.why.words.front() != '\0' ? child.why.words.data() : "bwrap starts no process of its own";
} catch (const no_own_program&) { a.own_program = false; } catch (const refused& e) {
  a.bwrap_message = e.what();
}

void do_nothing(trial&) noexcept {}

void ask_clone(answers& a) {
  trial t{a};
  int no_group = -1;
  patience left;
  vforked made;
  do { made = vfork_run(0, no_group, child<do_nothing>, &t); } while (is_momentary(made.error) && left.again());
  a.clone3 = made.clone3;
  a.pidfd_error = made.error;
  if (!made.error && bring_down(made) != 0) a.pidfd_error = EINVAL;
}

int number_in(const char* path) {
  std::ifstream file(path);
  int value = -1;
  file >> value;
  return file ? value : -1;
}

void ask_cgroup(answers& a) {
  a.cgroup_directory = cgroup_directory(read_file("/proc/self/cgroup"), read_file("/proc/self/mountinfo"));
  if (a.cgroup_directory.empty()) return static_cast<void>(a.cgroup_error = ENOENT);
  const std::string group = a.cgroup_directory + "/cordon-probe-" + std::to_string(::getpid());
  if (::mkdir(group.c_str(), 0755) != 0) return static_cast<void>(a.cgroup_error = errno);
  a.cgroup_kill = ::access((group + "/cgroup.kill").c_str(), W_OK) == 0;
  ::rmdir(group.c_str());
}

} // namespace

answers observe(observed much) {
  answers a;
  ask_filters(a);
  a.namespaces_error = ENOSYS;
  if (much == observed::filters) return a;
  a.namespaces_error = 0;
  ask_namespaces(a);
  a.userns_clone = number_in("/proc/sys/kernel/unprivileged_userns_clone");
  a.apparmor_userns = number_in("/proc/sys/kernel/apparmor_restrict_unprivileged_userns");
  a.max_namespaces = number_in("/proc/sys/user/max_user_namespaces");
  if (much == observed::mechanisms) return a;
  ask_bubblewrap(a);
  ask_clone(a);
  a.io_uring_error = error_of(SYS_io_uring_setup, 0, nullptr);
  a.legacy_tiocsti = number_in("/proc/sys/dev/tty/legacy_tiocsti");
  utsname name{};
  if (::uname(&name) == 0) a.release = name.release;
  ask_cgroup(a);
  return a;
}

} // namespace cordon::linux_shim
