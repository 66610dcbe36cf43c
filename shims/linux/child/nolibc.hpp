// SPDX-License-Identifier: BSL-1.0
/// System calls and the entry point for an executable without a C library. `_start` calls the executable's `serve`.
/// Exactly one source file of each executable includes this header.
#pragma once

extern "C" [[noreturn]] void serve(const long* stack); ///< argc, then argv, as the kernel leaves them

namespace cordon::linux_shim {

/// Returns: the result of the call, or -errno.
inline long bare_call(long number, long a = 0, long b = 0, long c = 0, long d = 0, long e = 0, long f = 0) {
#if defined(__x86_64__)
  long result;
  register long fourth asm("r10") = d;
  register long fifth asm("r8") = e;
  register long sixth asm("r9") = f;
  asm volatile("syscall"
               : "=a"(result)
               : "0"(number), "D"(a), "S"(b), "d"(c), "r"(fourth), "r"(fifth), "r"(sixth)
               : "rcx", "r11", "memory");
  return result;
#elif defined(__aarch64__)
  register long which asm("x8") = number;
  register long result asm("x0") = a;
  register long second asm("x1") = b;
  register long third asm("x2") = c;
  register long fourth asm("x3") = d;
  register long fifth asm("x4") = e;
  register long sixth asm("x5") = f;
  asm volatile("svc #0"
               : "+r"(result)
               : "r"(which), "r"(second), "r"(third), "r"(fourth), "r"(fifth), "r"(sixth)
               : "memory", "cc");
  return result;
#elif defined(__riscv) && __riscv_xlen == 64
  register long which asm("a7") = number;
  register long result asm("a0") = a;
  register long second asm("a1") = b;
  register long third asm("a2") = c;
  register long fourth asm("a3") = d;
  register long fifth asm("a4") = e;
  register long sixth asm("a5") = f;
  asm volatile("ecall"
               : "+r"(result)
               : "r"(which), "r"(second), "r"(third), "r"(fourth), "r"(fifth), "r"(sixth)
               : "memory");
  return result;
#endif
}

} // namespace cordon::linux_shim

// The kernel starts with an aligned stack; a function expects a return address on it.
#if defined(__x86_64__)
asm(".globl _start\n_start: xor %ebp, %ebp\n mov %rsp, %rdi\n and $-16, %rsp\n call serve\n hlt");
#elif defined(__aarch64__)
asm(".globl _start\n_start: mov x29, xzr\n mov x0, sp\n bl serve\n brk #1");
#else
asm(".globl _start\n_start: mv s0, zero\n mv a0, sp\n call serve\n ebreak");
#endif
