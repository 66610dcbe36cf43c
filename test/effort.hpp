// SPDX-License-Identifier: BSL-1.0
/// The number of rounds of a random or large test.
#pragma once

#include <cstdlib>
#include <string_view>

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define CORDON_TEST_IS_SLOW 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || __has_feature(memory_sanitizer)
#define CORDON_TEST_IS_SLOW 1
#endif
#endif
#ifndef __OPTIMIZE__
#define CORDON_TEST_IS_SLOW 1
#endif

/// The full number in the slow suite, which sets CORDON_TEST_ROUNDS=all; a tenth in the quick one, and in a build that runs
/// ten times slower.
inline int effort(int full) {
#ifndef CORDON_TEST_IS_SLOW
  if (const char* rounds = std::getenv("CORDON_TEST_ROUNDS"); rounds != nullptr && std::string_view(rounds) == "all")
    return full;
#endif
  return full / 10;
}
