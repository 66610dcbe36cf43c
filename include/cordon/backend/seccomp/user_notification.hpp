// SPDX-License-Identifier: BSL-1.0
/// A filter whose refusals somebody sees (seccomp_unotify(2)): where the plain one answers EPERM, this one asks.
#pragma once

#include "evaluate.hpp"
#include "lookup.hpp"
#include "program.hpp"

#include <span>
#include <string_view>

namespace cordon::seccomp {

/// Whoever is asked answers what the plain filter does, `evaluate(plain, call)`. ENOSYS stays the kernel's own answer: a
/// program that hears it goes another way, and nothing has been refused.
[[nodiscard]] constexpr program with_user_notification(std::span<const insn> plain) {
  program out;
  for (std::size_t i = plain.size(); i > 0; --i) {
    insn at = plain[i - 1];
    if (static_cast<op>(at.code) == op::give && filter_action{at.k} == not_permitted) at.k = notify.encoded();
    out.prepend(at);
  }
  return out;
}

[[nodiscard]] constexpr bool lets_pass(std::span<const insn> plain, arch cpu, std::string_view call) {
  return evaluate(plain, data{.nr = number_of(cpu, call), .arch = audit_arch(cpu)}) == pass;
}

/// Can a program begin at all? By one call or the other one.
[[nodiscard]] constexpr bool lets_begin(std::span<const insn> plain, arch cpu) {
  return lets_pass(plain, cpu, "execveat") || lets_pass(plain, cpu, "execve");
}

/// Do the calls between a watched filter and its program pass? Nobody would be there yet to be asked about them, and the
/// start would hang.
[[nodiscard]] constexpr bool lets_start(std::span<const insn> plain, arch cpu) {
  for (const std::string_view call : {"sendmsg", "execve", "execveat", "statx", "exit_group"})
    if (!lets_pass(plain, cpu, call)) return false;
  return true;
}

} // namespace cordon::seccomp
