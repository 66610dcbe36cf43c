// SPDX-License-Identifier: BSL-1.0
/// What launches on OpenBSD and macOS have in common: plain memory in, a process or the failed step out. No header of the
/// standard library or of a system, so that one object file can be made on any machine.
#pragma once

namespace cordon::bsd_shim {

/// What the child does, in this order. A failure names the step it happened in.
enum class launch_stage : unsigned char {
  none,
  create,      ///< the pipe and the process
  stdio,       ///< descriptors 0, 1 and 2
  directory,   ///< the working directory
  descriptors, ///< closing everything else
  session,     ///< one of its own: no terminal to push input into
  limits,      ///< resource limits
  signals,     ///< default dispositions, an empty mask
  places,      ///< unveil, place by place
  lock,        ///< no more unveil; one more must be refused
  promises,    ///< pledge for the launcher and for the program; more of either must be refused
  control,     ///< of the next but one: what will be refused is not refused yet
  profile,     ///< the sandbox profile
  probe,       ///< what it does not allow must be refused
  exec,        ///< becoming the program
};

inline constexpr const char* launch_stage_names[]{"none",     "create",  "stdio",   "directory", "descriptors",
                                                  "session",  "limits",  "signals", "places",    "lock",
                                                  "promises", "control", "profile", "probe",     "exec"};

/// One call of setrlimit(2).
struct resource_limit {
  int resource = 0;
  unsigned long long soft = 0, hard = 0;
};

/// What is started.
struct command {
  const char* path = nullptr;
  char* const* argv = nullptr;
  char* const* envp = nullptr;
  int directory = -1;       ///< descriptor of the working directory; -1: the parent's
  int stdio[3]{-1, -1, -1}; ///< what becomes 0, 1 and 2; -1: as it is. Any overlap is sorted out
  const resource_limit* limits = nullptr;
  unsigned long limit_count = 0;
};

/// Why nothing was started.
struct failure {
  launch_stage at = launch_stage::none;
  int error = 0;          ///< errno
  unsigned long part = 0; ///< which place or limit
  char words[256]{};      ///< what the system said of it, as far as there is room; else empty
};

/// A running program, or a failure. The caller has to reap it.
struct [[nodiscard]] launched {
  int pid = -1;
  failure why{};
  [[nodiscard]] constexpr explicit operator bool() const { return pid > 0; }
};

} // namespace cordon::bsd_shim
