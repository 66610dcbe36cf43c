// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <doctest/doctest.h>

/// Proven by the compiler and executed too, so that sanitizers, coverage and seeded bugs reach constexpr code.
#define HOLDS(...)                                                                                                     \
  do {                                                                                                                 \
    static_assert(__VA_ARGS__);                                                                                        \
    CHECK((__VA_ARGS__));                                                                                              \
  } while (false)
