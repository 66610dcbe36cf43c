// SPDX-License-Identifier: BSL-1.0
/// clone3(2) with a function to run on another stack. The C library exports no wrapper. A wrapper in C would return in
/// the child, on a stack that has no frame to return to.
#pragma once

#include <cerrno>
#include <cstddef>
#include <linux/sched.h>
#include <sys/syscall.h>

namespace cordon::linux_shim {

/// Returns: the child's pid, or -errno (-ENOSYS on a processor without code below). The child calls `entry(data)`,
/// which must not return. The kernel preserves every register except those listed as clobbered or as output.
#if defined(__x86_64__)
inline long clone3_run(clone_args* args, void (*entry)(void*) noexcept, void* data) noexcept {
  register auto function asm("r8") = entry;
  register void* argument asm("r9") = data;
  long result;
  asm volatile("syscall\n\t"
               "test %%rax, %%rax\n\t"
               "jnz 1f\n\t"
               "xor %%ebp, %%ebp\n\t"
               "mov %%r9, %%rdi\n\t"
               "call *%%r8\n\t"
               "hlt\n"
               "1:"
               : "=a"(result)
               : "0"(SYS_clone3), "D"(args), "S"(sizeof *args), "r"(function), "r"(argument)
               : "rcx", "r11", "cc", "memory");
  return result;
}
#elif defined(__aarch64__)
inline long clone3_run(clone_args* args, void (*entry)(void*) noexcept, void* data) noexcept {
  register long number asm("x8") = SYS_clone3;
  register auto function asm("x9") = entry;
  register void* argument asm("x10") = data;
  register long result asm("x0") = reinterpret_cast<long>(args);
  register std::size_t size asm("x1") = sizeof *args;
  asm volatile("svc #0\n\t"
               "cbnz x0, 1f\n\t"
               "mov x29, xzr\n\t"
               "mov x0, x10\n\t"
               "blr x9\n\t"
               "brk #1\n"
               "1:"
               : "+r"(result)
               : "r"(number), "r"(function), "r"(argument), "r"(size)
               : "cc", "memory");
  return result;
}
#elif defined(__riscv) && __riscv_xlen == 64
inline long clone3_run(clone_args* args, void (*entry)(void*) noexcept, void* data) noexcept {
  register long number asm("a7") = SYS_clone3;
  register auto function asm("a4") = entry;
  register void* argument asm("a5") = data;
  register long result asm("a0") = reinterpret_cast<long>(args);
  register std::size_t size asm("a1") = sizeof *args;
  asm volatile("ecall\n\t"
               "bnez a0, 1f\n\t"
               "mv s0, zero\n\t"
               "mv a0, a5\n\t"
               "jalr a4\n\t"
               "ebreak\n"
               "1:"
               : "+r"(result)
               : "r"(number), "r"(function), "r"(argument), "r"(size)
               : "memory");
  return result;
}
#else
inline long clone3_run(clone_args*, void (*)(void*) noexcept, void*) noexcept { return -ENOSYS; }
#endif

} // namespace cordon::linux_shim
