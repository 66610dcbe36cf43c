// SPDX-License-Identifier: BSL-1.0
#include <cordon/version.hpp>

#include <doctest/doctest.h>

TEST_CASE("the version in the headers is the one in meson.build") { CHECK(cordon::version == CORDON_MESON_VERSION); }
