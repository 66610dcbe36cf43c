// SPDX-License-Identifier: BSL-1.0
#include "../holds.hpp"

#include <cordon/policy/environment.hpp>

namespace policy_environment_test {

using namespace cordon;

namespace {

using tree = environment_tree;

constexpr entry states[]{{"A", variable::absent, {}},  {"A", variable::passes, {}},  {"A", variable::set(0), ""},
                         {"A", variable::set(1), "x"}, {"A", variable::set(1), "y"}, {"A", variable::set(2), "xy"}};

constexpr bool same(entry a, entry b) { return a.value == b.value && a.payload == b.payload; }

constexpr bool laws_hold() {
  for (const entry a : states)
    for (const entry b : states) {
      if (!same(tree::meet(a, b), tree::meet(b, a)) || !same(tree::meet(a, a), a)) return false;
      if (tree::within(a, b) != same(tree::meet(a, b), a)) return false;
      if (tree::within(a, b) && tree::within(b, a) && !same(a, b)) return false;
      for (const entry c : states) {
        if (!same(tree::meet(tree::meet(a, b), c), tree::meet(a, tree::meet(b, c)))) return false;
        if ((tree::within(c, a) && tree::within(c, b)) != tree::within(c, tree::meet(a, b))) return false;
      }
    }
  return true;
}

} // namespace

TEST_CASE("environment: a name has no = and no NUL") {
  HOLDS(variable::is_name("PATH"));
  HOLDS(variable::is_name("a b"));
  HOLDS(!variable::is_name(""));
  HOLDS(!variable::is_name("A=B"));
  HOLDS(!variable::is_name(std::string_view("A\0", 2)));
}

TEST_CASE("environment: the value says how long the content is") {
  HOLDS(tree::payload_size(variable::absent) == 0);
  HOLDS(tree::payload_size(variable::passes) == 0);
  HOLDS(tree::payload_size(variable::set(0)) == 0);
  HOLDS(tree::payload_size(variable::set(9)) == 9);
  HOLDS(variable::is_set(variable::set(0)));
  HOLDS(!variable::is_set(variable::passes));
}

TEST_CASE("environment: absent, set and passing are a lattice") {
  HOLDS(laws_hold());
  HOLDS(same(tree::meet(states[1], states[3]), states[3]));
  HOLDS(same(tree::meet(states[3], states[4]), states[0]));
  HOLDS(same(tree::meet(states[0], states[1]), states[0]));
  HOLDS(!tree::within(states[1], states[3]));
  HOLDS(!tree::within(states[2], states[3]));
}

} // namespace policy_environment_test
