// SPDX-License-Identifier: BSL-1.0
/// Types of launches on OpenBSD and macOS: plain memory in, a process or the failed stage out. Includes no header of
/// the standard library or of a system, so that one object file can be built on any machine.
#pragma once

namespace cordon::bsd_shim {

/// The stages of the child, in this order. A failure names its stage.
enum class launch_stage : unsigned char {
  none,
  create,      ///< creating the pipe and the process
  stdio,       ///< descriptors 0, 1 and 2
  directory,   ///< the working directory
  descriptors, ///< closing all other descriptors
  session,     ///< a new session: no terminal to push input into
  limits,      ///< resource limits
  signals,     ///< default dispositions, an empty mask
  places,      ///< unveil, path by path
  lock,        ///< forbidding more unveil; a further call must be refused
  promises,    ///< pledge for the launcher and for the program; adding promises must be refused
  control,     ///< control for `probe`: what it tests is not refused before the profile
  profile,     ///< the sandbox profile
  probe,       ///< what the profile denies must be refused
  exec,        ///< executing the program
};

inline constexpr const char* launch_stage_names[]{"none",     "create",  "stdio",   "directory", "descriptors",
                                                  "session",  "limits",  "signals", "places",    "lock",
                                                  "promises", "control", "profile", "probe",     "exec"};

/// One call of setrlimit(2).
struct resource_limit {
  int resource = 0;
  unsigned long long soft = 0, hard = 0;
};

/// The program to start.
struct command {
  const char* path = nullptr;
  char* const* argv = nullptr;
  char* const* envp = nullptr;
  int directory = -1;       ///< descriptor of the working directory; -1: the parent's
  int stdio[3]{-1, -1, -1}; ///< become 0, 1 and 2; -1: unchanged. They may overlap
  const resource_limit* limits = nullptr;
  unsigned long limit_count = 0;
};

/// Why the program was not started.
struct failure {
  launch_stage at = launch_stage::none;
  int error = 0;          ///< errno
  unsigned long part = 0; ///< index of the path or limit
  char words[256]{};      ///< message of the system, cut to this size; else empty
};

/// A running program, or a failure. The caller must reap it.
struct [[nodiscard]] launched {
  int pid = -1;
  failure why{};
  [[nodiscard]] constexpr explicit operator bool() const { return pid > 0; }
};

} // namespace cordon::bsd_shim
