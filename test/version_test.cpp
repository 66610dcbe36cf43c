// SPDX-License-Identifier: BSL-1.0
#include <cordon/version.hpp>

#include <doctest/doctest.h>

#include <cstdio>

namespace version_test {

#if CORDON_VERSION < 100 // 0.1.0, the first version with the macro
#error "CORDON_VERSION is of no use to the preprocessor"
#endif

TEST_CASE("the version in the headers is the one in meson.build") { CHECK(cordon::version == CORDON_MESON_VERSION); }

TEST_CASE("CORDON_VERSION is the version in meson.build as a number") {
  int major = -1, minor = -1, patch = -1;
  REQUIRE(std::sscanf(CORDON_MESON_VERSION, "%d.%d.%d", &major, &minor, &patch) == 3);
  CHECK(minor < 100); // else two versions would have one number
  CHECK(patch < 100);
  CHECK(CORDON_VERSION == major * 10000 + minor * 100 + patch);
}

} // namespace version_test
