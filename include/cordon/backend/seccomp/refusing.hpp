// SPDX-License-Identifier: BSL-1.0
/// A filter that refuses one more call, whatever its arguments: a supervisor makes that call for the program.
#pragma once

#include "filter_action.hpp"
#include "lookup.hpp"
#include "program.hpp"

#include <span>
#include <string_view>

namespace cordon::seccomp {

/// The same filter, except that the call of that name fails with EPERM. Adds five instructions; calls with other numbers
/// execute four of them.
///
///    0 load arch                2 load number            4 refused
///    1 this one, or plain       3 the call, or plain     5 plain ...
[[nodiscard]] constexpr program refusing(std::span<const insn> plain, arch cpu, std::string_view call) {
  constexpr auto load = static_cast<std::uint16_t>(op::load), equal = static_cast<std::uint16_t>(op::if_equal),
                 give = static_cast<std::uint16_t>(op::give);
  const insn front[]{
      {load, 0, 0, offset_of_arch},          {equal, 0, 3, audit_arch(cpu)},
      {load, 0, 0, offset_of_number},        {equal, 0, 1, static_cast<std::uint32_t>(number_of(cpu, call))},
      {give, 0, 0, not_permitted.encoded()},
  };
  program out;
  for (std::size_t i = plain.size(); i > 0; --i) out.prepend(plain[i - 1]);
  for (std::size_t i = std::size(front); i > 0; --i) out.prepend(front[i - 1]);
  return out;
}

} // namespace cordon::seccomp
