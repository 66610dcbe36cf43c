// SPDX-License-Identifier: BSL-1.0
#include "launch.hpp"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdint.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../bsd/system_calls.hpp"
#include "steps.hpp"

extern "C" { // libproc.h; both return a count
int proc_listchildpids(pid_t parent, void* to, int size);
int proc_listallpids(void* to, int size);
}

// No iostream, exceptions or thread_local: the child of a fork runs this code. sandbox.h declares only deprecated
// functions.
namespace cordon::macos_shim {
namespace {

using init_with_parameters = int (*)(const char* profile, uint64_t flags, const char* const* parameters, char** error);
using free_error = void (*)(char*);
using check = int (*)(pid_t, const char* operation, int type, ...);

template <class F> [[nodiscard]] F find(const char* name) noexcept {
  return reinterpret_cast<F>(::dlsym(RTLD_DEFAULT, name));
}

int last_error() noexcept { return errno; }

struct system_calls : bsd_shim::system_calls<last_error> {
  // Looked up before the fork: another thread may hold the loader's lock when the process forks.
  const init_with_parameters init = find<init_with_parameters>("sandbox_init_with_parameters");
  const free_error release = find<free_error>("sandbox_free_error");
  const check confined = find<check>("sandbox_check");

  bool has_function() noexcept { return init != nullptr; }
  int enter_profile(const char* text, char* words, unsigned long room) noexcept {
    if (init == nullptr) return -ENOSYS;
    const char* const none[]{nullptr};
    char* error = nullptr;
    errno = 0;
    if (init(text, 0, none, &error) == 0) return 0;
    const int number = errno;
    if (error != nullptr) {
      ::strlcpy(words, error, room);
      if (release != nullptr) release(error);
    }
    return number > 0 ? -number : -EINVAL;
  }
  bool is_confined() noexcept { return confined != nullptr && confined(::getpid(), nullptr, 0) == 1; }
  int open(const char* path, bool write) noexcept {
    return of(::open(path, (write ? O_WRONLY : O_RDONLY) | O_CLOEXEC | O_NOFOLLOW));
  }
  /// posix_spawn as an exec: closes every descriptor that is not listed.
  int exec_alone(const char* path, char* const* argv, char* const* envp) noexcept {
    posix_spawnattr_t how;
    posix_spawn_file_actions_t files;
    if (const int error = ::posix_spawnattr_init(&how)) return -error;
    if (const int error = ::posix_spawn_file_actions_init(&files)) return -error;
    if (const int error = ::posix_spawnattr_setflags(&how, POSIX_SPAWN_SETEXEC | POSIX_SPAWN_CLOEXEC_DEFAULT))
      return -error;
    for (int fd = 0; fd < 3; ++fd)
      if (::fcntl(fd, F_GETFD) >= 0)
        if (const int error = ::posix_spawn_file_actions_addinherit_np(&files, fd)) return -error;
    return -::posix_spawn(nullptr, path, &files, &how, argv, envp);
  }
  int pipe(int* ends) noexcept {
    if (::pipe(ends) != 0) return -errno;
    for (int i = 0; i < 2; ++i) ::fcntl(ends[i], F_SETFD, FD_CLOEXEC);
    return 0;
  }
  int reset_signal(int s) noexcept { return ::signal(s, SIG_DFL) == SIG_ERR ? -errno : 0; }
  int unblock_signals() noexcept {
    sigset_t none;
    sigemptyset(&none);
    return of(::sigprocmask(SIG_SETMASK, &none, nullptr));
  }
};

} // namespace

launched launch(const command& what, const confinement& how) noexcept {
  system_calls os;
  return launch(os, what, how);
}

launched launch_plain(const command& what) noexcept {
  system_calls os;
  return bsd_shim::launch(os, what, confinement(), plain_stages<system_calls>);
}

int children_of(int pid, int* to, int room) noexcept {
  return ::proc_listchildpids(pid, to, room * static_cast<int>(sizeof *to));
}
int all_processes(int* to, int room) noexcept { return ::proc_listallpids(to, room * static_cast<int>(sizeof *to)); }

} // namespace cordon::macos_shim
