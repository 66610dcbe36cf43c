// SPDX-License-Identifier: BSL-1.0
#include "cordon/run/session.hpp"

#include "../holds.hpp"

#include <string>

using namespace cordon;

TEST_CASE("session: a name is one component that is not hidden") {
  HOLDS(is_session_name("agent"));
  HOLDS(is_session_name("a.b_c-9"));
  HOLDS(!is_session_name(""));
  HOLDS(!is_session_name("."));
  HOLDS(!is_session_name(".."));
  HOLDS(!is_session_name(".agent"));
  HOLDS(!is_session_name("a/b"));
  HOLDS(!is_session_name("a b"));
  HOLDS(!is_session_name("\xc3\xa4"));
  CHECK(is_session_name(std::string(64, 'x')));
  CHECK(!is_session_name(std::string(65, 'x')));
}
