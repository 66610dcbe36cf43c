// SPDX-License-Identifier: BSL-1.0
/// A program as text: one instruction a line, numbers of system calls with their names. The text depends only on the
/// program, so it can be compared with a stored one.
#pragma once

#include "filter_action.hpp"
#include "insn.hpp"
#include "line.hpp"
#include "lookup.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace cordon::seccomp {

namespace detail {

/// The content of the accumulator: the index of the loaded word plus one, or nothing, or one of several words.
using holding = std::uint8_t;
inline constexpr holding holds_nothing = 0, holds_number = 1, holds_arch = 2, holds_either = 255;
inline constexpr std::uint32_t decimal_below = 0x10000;

constexpr void put_word(line& out, std::uint32_t offset) {
  if (offset == offset_of_number) out << "number";
  else if (offset == offset_of_arch) out << "arch";
  else if (offset < 16) out << (offset == 8 ? "address" : "address high");
  else (out << "argument ").decimal((offset - 16) / 8) << (offset % 8 == 0 ? "" : " high");
}

constexpr void put_operand(line& out, arch cpu, holding what, std::uint32_t k) {
  if (what == holds_number) {
    const std::string_view known = name_of(cpu, k);
    if (k < decimal_below) out.decimal(k);
    else out.hexadecimal(k);
    if (!known.empty()) out << " " << known;
  } else if (what == holds_arch && k == audit_arch(cpu)) out << name(cpu);
  else out.hexadecimal(k);
}

constexpr void put_action(line& out, filter_action a) {
  if (a == pass) out << "allow";
  else if (a == kill_process) out << "kill";
  else if (a == notify) out << "notify";
  else if (a == not_permitted) out << "EPERM";
  else if (a == no_such_call) out << "ENOSYS";
  else if (a.error_number() != 0) (out << "errno ").decimal(a.error_number());
  else out.hexadecimal(a.encoded());
}

constexpr std::string_view condition(op code) {
  switch (code) {
  case op::if_equal: return " == ";
  case op::if_above: return " > ";
  case op::if_at_least: return " >= ";
  default: return " & ";
  }
}

constexpr void put_insn(line& out, arch cpu, const insn& i, std::uint32_t next, holding what) {
  switch (const op code = static_cast<op>(i.code)) {
  case op::load: put_word(out << "load ", i.k); return;
  case op::mask: (out << "mask ").hexadecimal(i.k); return;
  case op::jump: (out << "go ").decimal(next + i.k); return;
  case op::give: put_action(out << "answer ", filter_action{i.k}); return;
  case op::if_equal:
  case op::if_above:
  case op::if_at_least:
  case op::if_any_bit:
    out << "if ";
    if (what == holds_nothing || what == holds_either) out << "?";
    else put_word(out, 4U * (what - 1U));
    put_operand(out << condition(code), cpu, what, i.k);
    (out << " then ").decimal(next + i.jt);
    (out << " else ").decimal(next + i.jf);
    return;
  }
  (out << "unknown ").hexadecimal(i.code);
}

} // namespace detail

/// Calls `sink(std::string_view)` with each line, without its end. The program must be valid. O(instructions).
template <class Sink> constexpr void disassemble(arch cpu, std::span<const insn> code, Sink&& sink) {
  detail::holding holdings[longest_program]{};
  const auto note = [&](std::size_t at, detail::holding what) {
    if (at >= longest_program || what == detail::holds_nothing) return;
    const bool same = holdings[at] == detail::holds_nothing || holdings[at] == what;
    holdings[at] = same ? what : detail::holds_either;
  };
  for (std::size_t i = 0; i < code.size() && i < longest_program; ++i) {
    line out;
    out.decimal(static_cast<std::uint32_t>(i), 4) << "  ";
    const insn& at = code[i];
    detail::put_insn(out, cpu, at, static_cast<std::uint32_t>(i + 1), holdings[i]);
    sink(out.text());
    switch (static_cast<op>(at.code)) {
    case op::load: note(i + 1, static_cast<detail::holding>(at.k / 4 + 1)); break;
    case op::mask: note(i + 1, holdings[i]); break;
    case op::jump: note(i + 1 + at.k, holdings[i]); break;
    case op::give: break;
    default: note(i + 1 + at.jt, holdings[i]), note(i + 1 + at.jf, holdings[i]);
    }
  }
}

} // namespace cordon::seccomp
