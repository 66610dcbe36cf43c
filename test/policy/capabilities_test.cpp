// SPDX-License-Identifier: BSL-1.0
#include "../holds.hpp"

#include <cordon/policy/capabilities.hpp>

namespace policy_capabilities_test {

using namespace cordon;

namespace {

constexpr bool all_known_are_names() {
  for (const std::string_view k : capability::known)
    if (!capability::is_name(k)) return false;
  return true;
}

} // namespace

TEST_CASE("capabilities: the known capabilities have valid names") {
  HOLDS(all_known_are_names());
  HOLDS(capability::is_name(capability::apply_edit));
  HOLDS(capability::remove == "workspace.delete");
}

TEST_CASE("capabilities: a name may have an unknown group") {
  HOLDS(capability::is_name("mail.send"));
  HOLDS(capability::is_name("a.b_2.c"));
  HOLDS(capability::is_name("workspaces.read"));
}

TEST_CASE("capabilities: a misspelt name is invalid") {
  HOLDS(!capability::is_name("workspace.read"));
  HOLDS(!capability::is_name("workspace.read_text."));
  HOLDS(!capability::is_name("process.execute"));
  HOLDS(!capability::is_name("process."));
  HOLDS(!capability::is_name(""));
  HOLDS(!capability::is_name("mail"));
  HOLDS(!capability::is_name(".mail"));
  HOLDS(!capability::is_name("mail."));
  HOLDS(!capability::is_name("mail..send"));
  HOLDS(!capability::is_name("Mail.send"));
  HOLDS(!capability::is_name("mail.*"));
  HOLDS(!capability::is_name("mail.send "));
}

} // namespace policy_capabilities_test
