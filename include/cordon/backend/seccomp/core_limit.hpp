// SPDX-License-Identifier: BSL-1.0
/// A filter that prevents changes of the core file limit. If core_pattern is a pipe, the kernel starts a handler
/// outside and gives it the memory of a program that crashes. A limit of exactly 1 prevents that (core(5)), a limit of
/// 0 does not. Programs that want no core file set 0, for example gnupg, and would undo the 1.
#pragma once

#include "filter_action.hpp"
#include "lookup.hpp"
#include "program.hpp"

#include <span>

namespace cordon::seccomp {

/// RLIMIT_CORE on all supported architectures (asm-generic/resource.h).
inline constexpr std::uint32_t core_limit = 4;
/// The call does nothing and reports success.
inline constexpr filter_action pretended{0x00050000};

/// The same filter, except that setrlimit(2) and prlimit64(2) of that limit do nothing and report success. The filter
/// still decides reading it, and all other limits. Adds 14 instructions; calls with other numbers execute three of
/// them.
///
///    0 load arch             5 load argument 1        11 load argument 0
///    1 this one, or plain    6 core, or plain         12 core, or plain
///    2 load number           7 load argument 2, low   13 pretended
///    3 setrlimit: 11         8 0, or 13               14 plain ...
///    4 prlimit64, or plain   9 load argument 2, high
///                           10 0: plain, else 13
[[nodiscard]] constexpr program keeping_core_limit(std::span<const insn> plain, arch cpu) {
  constexpr auto load = static_cast<std::uint16_t>(op::load), equal = static_cast<std::uint16_t>(op::if_equal),
                 give = static_cast<std::uint16_t>(op::give);
  const auto number = [cpu](std::string_view call) { return static_cast<std::uint32_t>(number_of(cpu, call)); };
  const std::uint32_t low = offset_of_argument(2);
  const insn front[]{
      {load, 0, 0, offset_of_arch},
      {equal, 0, 12, audit_arch(cpu)},
      {load, 0, 0, offset_of_number},
      {equal, 7, 0, number("setrlimit")},
      {equal, 0, 9, number("prlimit64")},
      {load, 0, 0, offset_of_argument(1)},
      {equal, 0, 7, core_limit},
      {load, 0, 0, low},
      {equal, 0, 4, 0},
      {load, 0, 0, low + 4},
      {equal, 3, 2, 0},
      {load, 0, 0, offset_of_argument(0)},
      {equal, 0, 1, core_limit},
      {give, 0, 0, pretended.encoded()},
  };
  program out;
  for (std::size_t i = plain.size(); i > 0; --i) out.prepend(plain[i - 1]);
  for (std::size_t i = std::size(front); i > 0; --i) out.prepend(front[i - 1]);
  return out;
}

} // namespace cordon::seccomp
