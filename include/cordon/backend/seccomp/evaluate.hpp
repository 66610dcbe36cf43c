// SPDX-License-Identifier: BSL-1.0
/// The interpreter of filters: returns the kernel's action without a kernel.
#pragma once

#include "filter_action.hpp"
#include "insn.hpp"

#include <cstddef>
#include <cstdint>
#include <span>

namespace cordon::seccomp {

/// The 32-bit word of the input at that offset, as a little-endian machine sees it.
[[nodiscard]] constexpr std::uint32_t word(const data& input, std::uint32_t offset) {
  if (offset == offset_of_number) return static_cast<std::uint32_t>(input.nr);
  if (offset == offset_of_arch) return input.arch;
  const std::uint64_t whole = offset < 16 ? input.instruction_pointer : input.args[(offset - 16) / 8];
  return static_cast<std::uint32_t>(offset % 8 == 0 ? whole : whole >> 32);
}

/// Returns whether the kernel would load the program (seccomp_check_filter, bpf_check_classic) and it has only
/// operations of `op`. Jumps stay inside, loads are aligned and inside the input, the last instruction is `give`.
[[nodiscard]] constexpr bool valid(std::span<const insn> code) {
  if (code.empty() || code.size() > longest_program) return false;
  for (std::size_t i = 0; i < code.size(); ++i) {
    const insn& at = code[i];
    const std::size_t left = code.size() - i - 1;
    switch (static_cast<op>(at.code)) {
    case op::load:
      if (at.k % 4 != 0 || at.k >= sizeof(data)) return false;
      break;
    case op::mask:
    case op::give: break;
    case op::jump:
      if (at.k >= left) return false;
      break;
    case op::if_equal:
    case op::if_above:
    case op::if_at_least:
    case op::if_any_bit:
      if (at.jt >= left || at.jf >= left) return false;
      break;
    default: return false;
    }
  }
  return static_cast<op>(code.back().code) == op::give;
}

/// What a program returned, and how.
struct evaluation {
  filter_action result = kill_process; ///< the returned action; killed if the program is invalid
  std::uint32_t executed = 0;          ///< instructions, including the one that returns
};

/// Runs a program. An invalid one, which the kernel would not load, kills.
[[nodiscard]] constexpr evaluation trace(std::span<const insn> code, const data& input) {
  std::uint32_t a = 0;
  evaluation run;
  for (std::size_t i = 0; i < code.size(); ++i) {
    const insn& at = code[i];
    ++run.executed;
    bool holds = false;
    switch (static_cast<op>(at.code)) {
    case op::load:
      if (at.k % 4 != 0 || at.k >= sizeof(data)) return run;
      a = word(input, at.k);
      continue;
    case op::mask: a &= at.k; continue;
    case op::jump: i += at.k; continue;
    case op::give: run.result = filter_action{at.k}; return run;
    case op::if_equal: holds = a == at.k; break;
    case op::if_above: holds = a > at.k; break;
    case op::if_at_least: holds = a >= at.k; break;
    case op::if_any_bit: holds = (a & at.k) != 0; break;
    default: return run;
    }
    i += holds ? at.jt : at.jf;
  }
  return run;
}

/// Runs a program as the kernel does, for one call.
[[nodiscard]] constexpr filter_action evaluate(std::span<const insn> code, const data& input) {
  return trace(code, input).result;
}

} // namespace cordon::seccomp
