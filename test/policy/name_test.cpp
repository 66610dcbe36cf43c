// SPDX-License-Identifier: BSL-1.0
#include "../holds.hpp"

#include <cordon/policy/name.hpp>

#include <algorithm>
#include <string>
#include <vector>

namespace policy_name_test {

using namespace cordon;

namespace {

/// Every name of at most three bytes of a small alphabet, and every prefix of at most two.
std::vector<std::string> small_names() {
  std::vector<std::string> stems{""};
  for (std::size_t i = 0; i < stems.size() && stems[i].size() < 3; ++i)
    for (const char c : {'!', 'A', 'b', '\xff'}) stems.push_back(stems[i] + c);
  std::vector<std::string> all;
  for (const std::string& s : stems) {
    if (!s.empty()) all.push_back(s);
    if (s.size() < 3) all.push_back(s + "*");
  }
  return all;
}

bool is_above(const std::string& root, const std::string& place) {
  if (root.back() != '*') return root == place;
  return place.compare(0, root.size() - 1, root, 0, root.size() - 1) == 0 &&
         (place.back() != '*' || place.size() >= root.size());
}

} // namespace

TEST_CASE("names: a star may be the last character alone") {
  HOLDS(names::is_place("PATH"));
  HOLDS(names::is_place("LC_*"));
  HOLDS(names::is_place("*"));
  HOLDS(!names::is_place(""));
  HOLDS(!names::is_place("A*B"));
  HOLDS(!names::is_place("A**"));
  HOLDS(!names::is_place(std::string_view("A\0", 2)));
  HOLDS(names::is_prefix("LC_*"));
  HOLDS(!names::is_prefix("LC_"));
  HOLDS(names::stem("LC_*") == "LC_");
  HOLDS(names::stem("LC_") == "LC_");
}

TEST_CASE("names: a prefix covers every name that starts with it") {
  HOLDS(names::covers("LC_*", "LC_ALL"));
  HOLDS(names::covers("LC_*", "LC_"));
  HOLDS(names::covers("LC_*", "LC_A*"));
  HOLDS(names::covers("LC_*", "LC_*"));
  HOLDS(names::covers("*", "A"));
  HOLDS(names::covers("A", "A"));
  HOLDS(!names::covers("LC_*", "LCX"));
  HOLDS(!names::covers("LC_*", "L*"));
  HOLDS(!names::covers("A", "AB"));
  HOLDS(!names::covers("A", "A*"));
}

TEST_CASE("names: in the order, each subtree is contiguous") {
  HOLDS(names::order("*", "A") < 0);
  HOLDS(names::order("A*", "A") < 0);
  HOLDS(names::order("A", "AB") < 0);
  HOLDS(names::order("A", "A") == 0);
  HOLDS(names::order("A", "\xff") < 0);
  std::vector<std::string> all = small_names();
  std::sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return names::order(a, b) < 0; });
  for (std::size_t i = 0; i < all.size(); ++i) {
    bool inside = true;
    bool together = true;
    for (std::size_t j = 0; j < all.size(); ++j) {
      const bool above = is_above(all[i], all[j]);
      if (names::covers(all[i], all[j]) != above) together = false;
      if ((names::order(all[i], all[j]) < 0) != (i < j)) together = false;
      if (j < i && above) together = false;
      if (j >= i && above && !inside) together = false;
      if (j >= i) inside = above;
    }
    CAPTURE(all[i]);
    CHECK(together);
  }
}

TEST_CASE("names: name_tree uses the functions of names") {
  HOLDS(name_tree::covers("A*", "AB"));
  HOLDS(name_tree::order("A*", "AB") < 0);
  HOLDS(name_tree::meet({"A", 1, {}}, {"A", 0, {}}).value == 0);
}

} // namespace policy_name_test
