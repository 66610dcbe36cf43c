// SPDX-License-Identifier: BSL-1.0
// The init process of namespaces that bwrap has made. A separate executable, since the launcher itself is not in
// bwrap's view. It has no library and no start files. Its argument is the descriptor number of an init_handoff.
#include "../child/raw_syscall.hpp"
#include "init_handoff.hpp"

#include <csignal>
#include <cstddef>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

namespace cordon::linux_shim {
namespace {

/// Ties this process to bwrap, which may be killed and guarantees nothing. The lifeline reports the end of the
/// launcher.
int watch_wrapper(init_setup&) noexcept {
  if (const int error = error_of(SYS_prctl, PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0)) return error;
  return raw_syscall(SYS_getpid) == 1 ? 0 : ENOTSUP;
}

/// Blocks all signals: the reaper reads them later, and none is lost.
int block_signals(init_setup&) noexcept {
  const std::uint64_t all = ~std::uint64_t{0};
  return error_of(SYS_rt_sigprocmask, SIG_SETMASK, &all, nullptr, sizeof all);
}

int leave_directory(init_setup&) noexcept { return error_of(SYS_chdir, "/"); }

constexpr stage<init_setup> stages[]{
    {launch_stage::parent, watch_wrapper},
    {launch_stage::signals, block_signals},
    {launch_stage::view, check_root},
    {launch_stage::directory, leave_directory}, // bwrap keeps the caller's working directory if the view has that path
    {launch_stage::session, take_terminal},
    {launch_stage::keyring, renew_keyring},
    {launch_stage::places, find_places},
    {launch_stage::rules, write_rules},
    {launch_stage::fork, start_program},
};

constexpr stage<init_setup> last[]{{launch_stage::init, become_init}};

[[noreturn]] void end() noexcept {
  for (;;) raw_syscall(SYS_exit_group, 125);
}

[[nodiscard]] const init_handoff* open_handoff(int fd) noexcept {
  const long size = raw_syscall(SYS_lseek, fd, 0, SEEK_END);
  constexpr int how = MAP_PRIVATE | MAP_FIXED_NOREPLACE;
  const long at = raw_syscall(SYS_mmap, init_handoff::address, size, PROT_READ | PROT_WRITE, how, fd, 0);
  return at == static_cast<long>(init_handoff::address) ? init_handoff::at<init_handoff>(0) : nullptr;
}

void send(int to, const child_setup& e) noexcept {
  const init_status a{e.reached, e.error};
  raw_syscall(SYS_write, to, &a, sizeof a);
}

} // namespace
} // namespace cordon::linux_shim

extern "C" [[noreturn]] void serve(const long* stack) {
  using namespace cordon::linux_shim;
  int from = 0;
  const char* const* const argv = reinterpret_cast<const char* const*>(stack + 1);
  for (const char* digit = stack[0] == 2 ? argv[1] : ""; *digit != '\0'; ++digit) from = from * 10 + (*digit - '0');
  const init_handoff* const handoff = open_handoff(from);
  if (handoff == nullptr) end();
  int to = handoff->status_socket;
  constexpr int above_the_reapers = 6;
  if (move_up(to, above_the_reapers) != 0) end();
  child_setup program{handoff->what, handoff->how};
  const spare_stack of_second;
  init_setup u{program, of_second, handoff->own, handoff->program, handoff->directory};
  if (go_through(program, u, stages) == 0) {
    program.reached = launch_stage::init;
    send(to, program);
    char heard = 0;
    if (raw_syscall(SYS_read, to, &heard, 1) == 1) go_through(program, u, last);
  }
  send(to, program);
  end();
}
