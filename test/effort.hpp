// SPDX-License-Identifier: BSL-1.0
/// The number of rounds of a random or large test.
#pragma once

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

/// The full number in an optimised build, a tenth in a build that runs ten times slower.
constexpr int effort(int full) {
#ifdef CORDON_TEST_IS_SLOW
  return full / 10;
#else
  return full;
#endif
}
