// SPDX-License-Identifier: BSL-1.0
/// Shared by the tests of the launcher: start a program, read its output, check how it ended.
#pragma once

#include <cordon/linux/launch.hpp>
#include <doctest/doctest.h>

#include <cerrno>
#include <cstddef>
#include <cstdio>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <functional>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <string>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

namespace launching {

using namespace cordon::linux_shim;

inline constexpr confinement unconfined{.no_new_privs = false, .drop_capabilities = false, .new_session = false};

/// The result of a launch. `code` is the exit code, or 128 + the signal, or -1 if there was no launch.
struct ended {
  failure why{};
  int code = -1;
  std::string said; ///< on stdout
};

inline int reap(launched child) {
  siginfo_t info{};
  forget_init(child);
  while (::waitid(P_PIDFD, static_cast<id_t>(child.pidfd), &info, WEXITED) != 0) REQUIRE(errno == EINTR);
  ::close(child.pidfd);
  return info.si_code == CLD_EXITED ? info.si_status : 128 + info.si_status;
}

/// The command without arguments and environment, which tests change.
struct prepared_command : command {
  std::vector<char*> arguments;
  explicit prepared_command(const char* name, std::initializer_list<const char*> rest = {}) {
    path = name;
    arguments.push_back(const_cast<char*>(name));
    for (const char* a : rest) arguments.push_back(const_cast<char*>(a));
    arguments.push_back(nullptr);
    argv = arguments.data();
    static char* nothing[]{nullptr};
    envp = nothing;
  }
  prepared_command(const prepared_command&) = delete;
};

inline ended start(command what, const confinement& how = unconfined) {
  ended result;
  int ends[2];
  REQUIRE(::pipe2(ends, O_CLOEXEC) == 0);
  if (what.stdio[1] < 0) what.stdio[1] = ends[1];
  const launched child = launch(what, how);
  ::close(ends[1]);
  result.why = child.why;
  if (child) {
    char buffer[4096];
    for (ssize_t n; (n = ::read(ends[0], buffer, sizeof buffer)) > 0;)
      result.said.append(buffer, static_cast<std::size_t>(n));
    result.code = reap(child);
  }
  ::close(ends[0]);
  return result;
}

/// The output of a shell script.
inline ended shell(const char* script, const confinement& how = unconfined) {
  const prepared_command sh("/bin/sh", {"-c", script});
  return start(sh, how);
}

/// The value of a field of /proc/self/status in a new program.
inline std::string status_field(const std::string& name, const confinement& how = unconfined) {
  const prepared_command cat("/bin/cat", {"/proc/self/status"});
  const std::string all = "\n" + start(cat, how).said;
  const auto at = all.find("\n" + name + ":\t");
  if (at == all.npos) return {};
  const auto from = at + name.size() + 3;
  return all.substr(from, all.find('\n', from) - from);
}

inline void skip(const std::string& why) {
  const std::string text = "skipped: " + why; // doctest 2.4.9 prints a plain char pointer as an address
  MESSAGE(text);
}

/// Runs the body in a separate process, so that its changes end with it. Returns: its result, or 128 + the signal.
inline int apart(const std::function<int()>& body) {
  std::fflush(nullptr);
  const pid_t pid = ::fork();
  if (pid == 0) ::_exit(body());
  int status = 0;
  ::waitpid(pid, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

struct refusal {
  long call;
  int error;
  unsigned argument = 0; ///< the required first argument; 0: any
};

/// A filter that returns an error for these calls and allows the rest.
inline std::vector<sock_filter> refusing(std::initializer_list<refusal> list) {
  std::vector<sock_filter> code;
  for (const refusal& r : list) {
    code.push_back(BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)));
    const std::uint8_t past = r.argument != 0 ? 3 : 1;
    code.push_back(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, static_cast<unsigned>(r.call), 0, past));
    if (r.argument) {
      code.push_back(BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, args)));
      code.push_back(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, r.argument, 0, 1));
    }
    code.push_back(BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | static_cast<unsigned>(r.error)));
  }
  code.push_back(BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW));
  return code;
}

/// Puts the calling thread under such a filter permanently.
inline void refuse(std::initializer_list<refusal> list) {
  const auto code = refusing(list);
  const sock_fprog program{static_cast<unsigned short>(code.size()), const_cast<sock_filter*>(code.data())};
  ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
  if (::syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program) != 0) ::_exit(99);
}

/// A ruleset that handles these file system rights and grants none; -1 if Landlock is not available.
inline int ruleset_denying(std::uint64_t rights) {
  return static_cast<int>(::syscall(SYS_landlock_create_ruleset, &rights, sizeof rights, 0));
}

inline std::size_t open_descriptors() {
  std::size_t count = 0;
  for ([[maybe_unused]] const auto& entry : std::filesystem::directory_iterator("/proc/self/fd")) ++count;
  return count;
}

/// A directory for one test that every user may write to.
struct shared_directory {
  std::filesystem::path path;
  shared_directory() {
    std::string name = (std::filesystem::temp_directory_path() / "launch-test-XXXXXX").string();
    REQUIRE(::mkdtemp(name.data()));
    path = name;
    std::filesystem::permissions(path, std::filesystem::perms::all);
  }
  ~shared_directory() { std::filesystem::remove_all(path); }
  std::string write(const char* name, const std::string& text) const {
    const auto file = path / name;
    std::ofstream(file) << text;
    std::filesystem::permissions(file, std::filesystem::perms::owner_all | std::filesystem::perms::others_read |
                                           std::filesystem::perms::others_exec);
    return file.string();
  }
};

/// A control group (v2) for one test; no path if none can be made.
struct group {
  std::filesystem::path path;
  group() {
    for (const char* root : {"/sys/fs/cgroup/unified", "/sys/fs/cgroup"}) {
      const auto made = std::filesystem::path(root) / ("launch-test-" + std::to_string(::getpid()));
      if (path.empty() && std::filesystem::exists(made.parent_path() / "cgroup.procs") &&
          ::mkdir(made.c_str(), 0755) == 0)
        path = made;
    }
  }
  ~group() {
    if (!path.empty()) ::rmdir(path.c_str());
  }
};

} // namespace launching
