// SPDX-License-Identifier: BSL-1.0
// Runs a program in the view that the namespaces backend makes of a policy file:
//   enter POLICY [--broken] -- COMMAND...
// Its exit status is relayed, 128 + n for a signal; 125 is that of what goes wrong before. Every name space is the
// program's own, its capabilities are gone. --broken: in a view that hides and forbids nothing.
#include "../../../shims/linux/isolation/view.hpp"

#include <cordon/format/read.hpp>

#include <linux/capability.h>
#include <linux/sched.h>
#include <sys/prctl.h>
#include <sys/wait.h>

#include <csignal>
#include <cstdio>
#include <cstring>
#include <string>

using namespace cordon;
using linux_shim::error_of, linux_shim::raw_syscall;

namespace {

constexpr int failed = 125;

/// Everything, but for what no view shows: /proc and /dev are fresh all the same.
loaded_policy without_limits() {
  loaded_policy p;
  (void)p.write<axis_id::files>([](auto& out) { out.add({"/", verb::everything.bits(), {}}); });
  return p;
}

int put(const char* file, const std::string& text) {
  const long fd = raw_syscall(SYS_openat, AT_FDCWD, file, O_WRONLY | O_CLOEXEC, 0);
  if (fd < 0) return static_cast<int>(-fd);
  const long written = raw_syscall(SYS_write, fd, text.data(), text.size());
  raw_syscall(SYS_close, fd);
  return written < 0 ? static_cast<int>(-written) : 0;
}

int map_ids(uid_t user, gid_t group) {
  const auto map = [](auto id) { return std::to_string(id) + " " + std::to_string(id) + " 1\n"; };
  if (const int error = put("/proc/self/setgroups", "deny")) return error;
  if (const int error = put("/proc/self/uid_map", map(user))) return error;
  return put("/proc/self/gid_map", map(group));
}

int drop_privileges() {
  for (int which = 0; ::prctl(PR_CAPBSET_READ, which) >= 0; ++which)
    if (const int error = error_of(SYS_prctl, PR_CAPBSET_DROP, which, 0, 0, 0)) return error;
  __user_cap_header_struct self{_LINUX_CAPABILITY_VERSION_3, 0};
  const __user_cap_data_struct none[_LINUX_CAPABILITY_U32S_3]{};
  if (const int error = error_of(SYS_capset, &self, none)) return error;
  return error_of(SYS_prctl, PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
}

[[noreturn]] void fail(const std::string& what, int error) {
  std::fprintf(stderr, "enter: cannot %s: %s\n", what.c_str(), std::strerror(error));
  ::_exit(failed);
}

[[noreturn]] void become(const linux_shim::view& seen, uid_t user, gid_t group, char** command) {
  if (const int error = error_of(SYS_prctl, PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0)) fail("watch the parent", error);
  if (const int error = map_ids(user, group)) fail("map ids", error);
  std::uint32_t at = 0;
  if (const int error = enter_view(seen.steps(), at)) fail(seen.describe_step(at), error);
  if (const int error = drop_privileges()) fail("drop privileges", error);
  ::execv(command[0], command);
  fail(std::string("run ") + command[0], errno);
}

int run(const char* file, bool broken, char** command) {
  const format::host_facts facts;
  const auto made = namespaces::compile(
      broken ? without_limits() : format::lower_lexically(format::read_file(file, facts), facts), namespaces::target{});
  if (made.error.code != diagnostic_code::ok) throw std::runtime_error(std::string(name(made.error.code)));
  const linux_shim::view seen(made.rules, {});
  const uid_t user = ::geteuid();
  const gid_t group = ::getegid();
  clone_args args{};
  args.flags =
      CLONE_NEWUSER | CLONE_NEWNS | CLONE_NEWPID | CLONE_NEWIPC | CLONE_NEWUTS | CLONE_NEWCGROUP | CLONE_NEWNET;
  args.exit_signal = SIGCHLD;
  const long child = raw_syscall(SYS_clone3, &args, sizeof args);
  if (child < 0) fail("make namespaces", static_cast<int>(-child));
  if (child == 0) become(seen, user, group, command);
  int status = 0;
  while (::waitpid(static_cast<pid_t>(child), &status, 0) < 0 && errno == EINTR) {}
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

} // namespace

int main(int count, char** words) {
  const bool broken = count > 2 && std::strcmp(words[2], "--broken") == 0;
  const int end = broken ? 3 : 2;
  if (count < end + 2 || std::strcmp(words[end], "--") != 0) return 2;
  try {
    return run(words[1], broken, words + end + 1);
  } catch (const std::exception& e) {
    std::fprintf(stderr, "enter: %s\n", e.what());
    return failed;
  }
}
