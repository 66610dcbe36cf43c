// SPDX-License-Identifier: BSL-1.0
// The first process of namespaces that bwrap has made: an executable of its own, since whoever launched bwrap is not in
// its view, with no library and no start files. Its argument is the number of the descriptor of a letter.
#include "../child/raw.hpp"
#include "init_handoff.hpp"

#include <csignal>
#include <cstddef>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

namespace cordon::linux_shim {
namespace {

/// bwrap may be killed, and is no part of any promise. Its own parent it watches through the lifeline.
int watch_wrapper(undertaking&) noexcept {
  if (const int error = error_of(SYS_prctl, PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0)) return error;
  return raw(SYS_getpid) == 1 ? 0 : ENOTSUP;
}

/// The reaper reads them: none is lost from now on.
int block_signals(undertaking&) noexcept {
  const std::uint64_t all = ~std::uint64_t{0};
  return error_of(SYS_rt_sigprocmask, SIG_SETMASK, &all, nullptr, sizeof all);
}

int leave_directory(undertaking&) noexcept { return error_of(SYS_chdir, "/"); }

constexpr stage<undertaking> stages[]{
    {step::parent, watch_wrapper},      {step::signals, block_signals}, {step::view, check_root},
    {step::directory, leave_directory}, // bwrap keeps the caller's where the view has one of its name
    {step::keyring, renew_keyring},     {step::places, find_places},    {step::rules, write_rules},
    {step::second, start_second},
};

constexpr stage<undertaking> last[]{{step::first, become_first}};

[[noreturn]] void end() noexcept {
  for (;;) raw(SYS_exit_group, 125);
}

[[nodiscard]] const letter* open_letter(int fd) noexcept {
  const long size = raw(SYS_lseek, fd, 0, SEEK_END);
  constexpr int how = MAP_PRIVATE | MAP_FIXED_NOREPLACE;
  const long at = raw(SYS_mmap, letter::address, size, PROT_READ | PROT_WRITE, how, fd, 0);
  return at == static_cast<long>(letter::address) ? letter::at<letter>(0) : nullptr;
}

void send(int to, const errand& e) noexcept {
  const answer a{e.reached, e.error};
  raw(SYS_write, to, &a, sizeof a);
}

} // namespace
} // namespace cordon::linux_shim

extern "C" [[noreturn]] void serve(const long* stack) {
  using namespace cordon::linux_shim;
  int from = 0;
  const char* const* const argv = reinterpret_cast<const char* const*>(stack + 1);
  for (const char* digit = stack[0] == 2 ? argv[1] : ""; *digit != '\0'; ++digit) from = from * 10 + (*digit - '0');
  const letter* const told = open_letter(from);
  if (told == nullptr) end();
  int to = told->answer;
  constexpr int above_the_reapers = 5;
  if (move_up(to, above_the_reapers) != 0) end();
  errand program{told->what, told->how};
  const spare_stack of_second;
  undertaking u{program, of_second, told->own, told->program, told->directory};
  if (go_through(program, u, stages) == 0) {
    program.reached = step::first;
    send(to, program);
    char heard = 0;
    if (raw(SYS_read, to, &heard, 1) == 1) go_through(program, u, last);
  }
  send(to, program);
  end();
}
