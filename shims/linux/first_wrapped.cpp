// SPDX-License-Identifier: BSL-1.0
// The first process of namespaces that bwrap has made: an executable of its own, since whoever launched bwrap is not in
// its view, with no library and no start files. Its argument is the number of the descriptor of a letter.
#include "letter.hpp"
#include "raw.hpp"

#include <csignal>
#include <cstdarg>
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
  return at == static_cast<long>(letter::address) ? reinterpret_cast<const letter*>(at) : nullptr;
}

void send(int to, const errand& e) noexcept {
  const answer a{e.reached, e.error};
  raw(SYS_write, to, &a, sizeof a);
}

} // namespace
} // namespace cordon::linux_shim

extern "C" {

[[noreturn]] void serve(const long* stack) {
  using namespace cordon::linux_shim;
  int from = 0;
  for (const char* digit = stack[0] == 2 ? reinterpret_cast<const char*>(stack[2]) : ""; *digit != '\0'; ++digit)
    from = from * 10 + (*digit - '0');
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

// What the compiler and the code that is shared with the launcher want of a C library.

static int last_error = 0;
int* __errno_location() noexcept { return &last_error; } // NOLINT(bugprone-reserved-identifier)

long syscall(long number, ...) noexcept {
  va_list all;
  va_start(all, number);
  long a[6];
  for (long& each : a) each = va_arg(all, long);
  va_end(all);
#if defined(__x86_64__)
  long result;
  register long fourth asm("r10") = a[3];
  register long fifth asm("r8") = a[4];
  register long sixth asm("r9") = a[5];
  asm volatile("syscall"
               : "=a"(result)
               : "0"(number), "D"(a[0]), "S"(a[1]), "d"(a[2]), "r"(fourth), "r"(fifth), "r"(sixth)
               : "rcx", "r11", "memory");
#elif defined(__aarch64__)
  register long which asm("x8") = number;
  register long result asm("x0") = a[0];
  register long second asm("x1") = a[1];
  register long third asm("x2") = a[2];
  register long fourth asm("x3") = a[3];
  register long fifth asm("x4") = a[4];
  register long sixth asm("x5") = a[5];
  asm volatile("svc #0"
               : "+r"(result)
               : "r"(which), "r"(second), "r"(third), "r"(fourth), "r"(fifth), "r"(sixth)
               : "memory", "cc");
#else
  register long which asm("a7") = number;
  register long result asm("a0") = a[0];
  register long second asm("a1") = a[1];
  register long third asm("a2") = a[2];
  register long fourth asm("a3") = a[3];
  register long fifth asm("a4") = a[4];
  register long sixth asm("a5") = a[5];
  asm volatile("ecall"
               : "+r"(result)
               : "r"(which), "r"(second), "r"(third), "r"(fourth), "r"(fifth), "r"(sixth)
               : "memory");
#endif
  if (result >= 0 || result < -4095) return result;
  last_error = static_cast<int>(-result);
  return -1;
}

void* mmap(void* at, std::size_t size, int may, int how, int fd, off_t offset) noexcept {
  return reinterpret_cast<void*>(syscall(SYS_mmap, at, size, may, how, fd, offset));
}
int mprotect(void* at, std::size_t size, int may) noexcept {
  return static_cast<int>(syscall(SYS_mprotect, at, size, may));
}
int munmap(void* at, std::size_t size) noexcept { return static_cast<int>(syscall(SYS_munmap, at, size)); }

/// The launch is refused where there is no clone3(2), which is older than what bwrap is used on.
int clone(int (*)(void*), void*, int, void*, ...) noexcept {
  last_error = ENOSYS;
  return -1;
}

void* memset(void* to, int value, std::size_t size) noexcept {
  auto* byte = static_cast<volatile unsigned char*>(to);
  while (size-- > 0) *byte++ = static_cast<unsigned char>(value);
  return to;
}
void* memcpy(void* to, const void* from, std::size_t size) noexcept {
  auto* byte = static_cast<volatile unsigned char*>(to);
  for (const auto* next = static_cast<const unsigned char*>(from); size > 0; --size) *byte++ = *next++;
  return to;
}
}

// The kernel begins with an aligned stack, a function expects one on which a return address lies.
#if defined(__x86_64__)
asm(".globl _start\n_start: xor %ebp, %ebp\n mov %rsp, %rdi\n and $-16, %rsp\n call serve\n hlt");
#elif defined(__aarch64__)
asm(".globl _start\n_start: mov x29, xzr\n mov x0, sp\n bl serve\n brk #1");
#else
asm(".globl _start\n_start: mv s0, zero\n mv a0, sp\n call serve\n ebreak");
#endif
