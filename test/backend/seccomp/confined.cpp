// SPDX-License-Identifier: BSL-1.0
/// Runs a program under a filter alone, to see how tools behave under it.
///   confined baseline|strict [network] -- PROGRAM [ARGUMENT...]
#include "cordon/backend/seccomp/compile.hpp"

#include <cstdio>
#include <string_view>

#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

using namespace cordon::seccomp;

int main(int count, char** words) {
  filter_spec d;
#if defined(__aarch64__)
  d.cpu = arch::aarch64;
#elif defined(__riscv)
  d.cpu = arch::riscv64;
#endif
  int at = 1;
  for (; at < count && std::string_view{words[at]} != "--"; ++at) {
    const std::string_view word = words[at];
    if (word == "strict") d.strict = true;
    else if (word == "network") d.network = d.connect = true;
    else if (word != "baseline") return 2;
  }
  if (++at >= count) return 2;

  static const program made = compile(d);
  static sock_filter code[program::capacity];
  for (std::size_t i = 0; i < made.size(); ++i) {
    const insn& from = made.code()[i];
    code[i] = {from.code, from.jt, from.jf, from.k};
  }
  const sock_fprog filter{static_cast<unsigned short>(made.size()), code};
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return std::perror("no_new_privs"), 125;
  if (syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &filter) != 0) return std::perror("seccomp"), 77;
  execvp(words[at], words + at);
  std::perror(words[at]);
  return 127;
}
