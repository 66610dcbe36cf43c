// SPDX-License-Identifier: BSL-1.0
/// A filter that reports its refusals to a supervisor (seccomp_unotify(2)): it notifies instead of failing with EPERM.
#pragma once

#include "evaluate.hpp"
#include "lookup.hpp"
#include "program.hpp"

#include <span>
#include <string_view>

namespace cordon::seccomp {

/// Returns the filter with notifications. The supervisor must answer with the plain filter's action, `evaluate(plain,
/// call)`. ENOSYS remains the kernel's: the program falls back, and nothing was refused.
[[nodiscard]] constexpr program with_user_notification(std::span<const insn> plain) {
  program out;
  for (std::size_t i = plain.size(); i > 0; --i) {
    insn at = plain[i - 1];
    if (static_cast<op>(at.code) == op::give && filter_action{at.k} == not_permitted) at.k = notify.encoded();
    out.prepend(at);
  }
  return out;
}

/// Does the plain filter allow the call of that name, with arguments of 0?
[[nodiscard]] constexpr bool lets_pass(std::span<const insn> plain, arch cpu, std::string_view call) {
  return evaluate(plain, data{.nr = number_of(cpu, call), .arch = audit_arch(cpu)}) == pass;
}

/// Returns whether a program can start: execveat or execve passes.
[[nodiscard]] constexpr bool lets_begin(std::span<const insn> plain, arch cpu) {
  return lets_pass(plain, cpu, "execveat") || lets_pass(plain, cpu, "execve");
}

/// Returns whether the calls between loading the filter and starting the program pass. Before the supervisor listens, a
/// notified call would hang.
[[nodiscard]] constexpr bool lets_start(std::span<const insn> plain, arch cpu) {
  for (const std::string_view call : {"sendmsg", "execve", "execveat", "statx", "exit_group"})
    if (!lets_pass(plain, cpu, call)) return false;
  return true;
}

} // namespace cordon::seccomp
