// SPDX-License-Identifier: BSL-1.0
#include "launch.hpp"

// As the manual pages declare them; the kernel accepts system calls only from the C library (pinsyscalls(2)).
extern "C" {
struct rlimit {
  unsigned long long soft, hard;
};
int* __errno(void) noexcept; // NOLINT(bugprone-reserved-identifier): the system's
int pledge(const char*, const char*) noexcept;
int unveil(const char*, const char*) noexcept;
int fork(void) noexcept;
int pipe(int*) noexcept;
int dup2(int, int) noexcept;
int fcntl(int, int, ...) noexcept;
int fchdir(int) noexcept;
int closefrom(int) noexcept;
int close(int) noexcept;
int setsid(void) noexcept;
int setrlimit(int, const rlimit*) noexcept;
void (*signal(int, void (*)(int)))(int) noexcept;
int sigprocmask(int, const unsigned*, unsigned*) noexcept;
int execve(const char*, char* const*, char* const*) noexcept;
long read(int, void*, unsigned long) noexcept;
long write(int, const void*, unsigned long) noexcept;
int kill(int, int) noexcept;
int waitpid(int, int*, int) noexcept;
[[noreturn]] void _exit(int) noexcept; // NOLINT(bugprone-reserved-identifier): the system's
}

#include "../bsd/system_calls.hpp"
#include "steps.hpp"

namespace cordon::openbsd_shim {
namespace {

int last_error() noexcept { return *::__errno(); }

struct system_calls : bsd_shim::system_calls<last_error> {
  int unveil(const char* place, const char* permissions) noexcept { return of(::unveil(place, permissions)); }
  int pledge(const char* promises, const char* program) noexcept { return of(::pledge(promises, program)); }
  int pipe(int* ends) noexcept { return of(::pipe(ends)); }
  int closefrom(int least) noexcept { return of(::closefrom(least)); }
  int reset_signal(int s) noexcept {
    const bool failed = reinterpret_cast<long>(::signal(s, nullptr)) == -1; // SIG_DFL, SIG_ERR
    return failed ? of(-1) : 0;
  }
  int unblock_signals() noexcept {
    const unsigned none = 0;
    return of(::sigprocmask(3, &none, nullptr)); // SIG_SETMASK
  }
  int execve(const char* path, char* const* argv, char* const* envp) noexcept { return of(::execve(path, argv, envp)); }
};

} // namespace

launched launch(const command& what, const confinement& how) noexcept {
  system_calls os;
  return launch(os, what, how);
}

} // namespace cordon::openbsd_shim
