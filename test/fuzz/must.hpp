// SPDX-License-Identifier: BSL-1.0
/// The check that fuzzers use for their invariants.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

/// Checks an invariant: libFuzzer keeps the input that breaks it.
inline void must(bool holds) {
  if (!holds) __builtin_trap();
}

inline std::string_view text_of(const std::uint8_t* data, std::size_t size) {
  return {reinterpret_cast<const char*>(data), size};
}
