// SPDX-License-Identifier: BSL-1.0
/// Filters of constant filter specs and listings: arrays of exact size in read-only memory, without relocations.
#pragma once

#include "compile.hpp"

#include <array>
#include <cstddef>

namespace cordon::seccomp {

/// `filter<what>` for a filter_spec or a listing of static storage:
///   static constexpr filter_spec build{.strict = true};
///   constexpr auto& code = filter<build>;
template <const auto& What>
inline constexpr auto filter = [] {
  constexpr program whole = compile(What);
  std::array<insn, whole.size()> exact{};
  for (std::size_t i = 0; i < exact.size(); ++i) exact[i] = whole.code()[i];
  return exact;
}();

} // namespace cordon::seccomp
