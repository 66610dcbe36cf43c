// SPDX-License-Identifier: BSL-1.0
#include "../holds.hpp"

#include <cordon/policy/policy.hpp>

#include <initializer_list>

namespace policy_step_function_test {

using namespace cordon;

namespace {

using store = fixed_storage<16, 256>;

/// The step function of these entries, in a private storage.
template <class Tree> struct made {
  store storage{};
  diagnostic error{};

  constexpr made(std::initializer_list<entry> entries) {
    step_function_builder<Tree, store> out(storage);
    for (const entry& e : entries) out.add(e);
    error = out.close();
  }
  [[nodiscard]] constexpr step_function<Tree> view() const {
    return {storage.all_slots(), storage.size(), storage.text()};
  }
};
using paths = made<path_tree>;
using variables = made<environment_tree>;

constexpr paths usual{{"/srv", 7, {}}, {"/", 1, {}}, {"/srv/job/.git", 3, {}}, {"/srv-x", 4, {}}, {"/usr/lib", 0, {}}};

/// The places that a merge visits, as one text.
constexpr bool visits(const paths& a, const paths& b, std::string_view wanted) {
  char text[128]{};
  std::size_t size = 0;
  merge(a.view(), b.view(), [&](std::string_view place, std::uint32_t i, std::uint32_t j) {
    for (const char c : place) text[size++] = c;
    text[size++] = ' ';
    text[size++] = static_cast<char>('0' + a.view().at(i).value);
    text[size++] = static_cast<char>('0' + b.view().at(j).value);
    text[size++] = '\n';
    return true;
  });
  return std::string_view(text, size) == wanted;
}

} // namespace

TEST_CASE("step function: the nearest covering entry decides for a place") {
  HOLDS(usual.error.code == diagnostic_code::ok);
  HOLDS(usual.view().lookup("/") == 1);
  HOLDS(usual.view().lookup("/sr") == 1);
  HOLDS(usual.view().lookup("/srv") == 7);
  HOLDS(usual.view().lookup("/srv/job") == 7);
  HOLDS(usual.view().lookup("/srv/job/.git") == 3);
  HOLDS(usual.view().lookup("/srv/job/.git/config") == 3);
  HOLDS(usual.view().lookup("/srv/job/.gitignore") == 7);
  HOLDS(usual.view().lookup("/srv-x/a") == 4);
  HOLDS(usual.view().lookup("/srv-") == 1);
  HOLDS(usual.view().lookup("/usr/lib/a") == 0);
  HOLDS(usual.view().lookup("/zzz") == 1);
}

TEST_CASE("step function: nothing covers a place that no entry names") {
  constexpr paths one{{"/b", 1, {}}};
  HOLDS(one.view().find("/a") == no_slot);
  HOLDS(one.view().find("/c") == no_slot);
  HOLDS(one.view().find("/") == no_slot);
  HOLDS(one.view().at(no_slot).value == 0);
  HOLDS(step_function<path_tree>().find("/a") == no_slot);
  HOLDS(step_function<path_tree>().empty());
}

TEST_CASE("step function: each entry knows the nearest one above") {
  HOLDS(usual.view().place(0) == "/");
  HOLDS(usual.view().parent(0) == no_slot);
  HOLDS(usual.view().place(2) == "/srv/job/.git");
  HOLDS(usual.view().parent(2) == 1);
  HOLDS(usual.view().parent(1) == 0);
  HOLDS(usual.view().nearest_covering(2, "/srv/job") == 1);
  HOLDS(usual.view().nearest_covering(2, "/x") == 0);
}

TEST_CASE("step function: a payload belongs to its value") {
  constexpr variables v{{"A", variable::set(2), "xy"}, {"B", variable::passes, {}}, {"C*", variable::passes, {}}};
  HOLDS(v.view()[0].payload == "xy");
  HOLDS(v.view()[1].payload.empty());
  HOLDS(v.view().lookup("CD") == variable::passes);
  HOLDS(v.view().lookup("D") == variable::absent);
}

TEST_CASE("step function: a merge visits each place once, with the deciding entries of both") {
  constexpr paths a{{"/", 1, {}}, {"/a/b", 2, {}}, {"/c", 3, {}}};
  constexpr paths b{{"/a", 4, {}}, {"/a/b", 5, {}}, {"/a/b/c", 6, {}}, {"/d", 7, {}}};
  HOLDS(visits(a, b, "/ 10\n/a 14\n/a/b 25\n/a/b/c 26\n/c 30\n/d 17\n"));
  HOLDS(visits(b, a, "/ 01\n/a 41\n/a/b 52\n/a/b/c 62\n/c 03\n/d 71\n"));
  HOLDS(visits(a, {}, "/ 10\n/a/b 20\n/c 30\n"));
  HOLDS(visits({}, {}, ""));
  HOLDS(!merge(a.view(), b.view(), [](auto, auto, auto) { return false; }));
  HOLDS(merge(a.view(), b.view(), [](auto, auto, auto) { return true; }));
}

TEST_CASE("step function: <= compares at every place of either side") {
  constexpr paths a{{"/a", 3, {}}};
  HOLDS(a.view() <= paths{{"/", 7, {}}}.view());
  HOLDS(a.view() <= a.view());
  HOLDS(!(a.view() <= paths{{"/", 1, {}}}.view()));
  HOLDS(!(a.view() <= paths{{"/", 7, {}}, {"/a/b", 1, {}}}.view()));
  HOLDS(!(a.view() <= paths{{"/a/b", 3, {}}}.view()));
  HOLDS(step_function<path_tree>() <= a.view());
  HOLDS(!(a.view() <= step_function<path_tree>()));
  HOLDS(variables{{"A", variable::set(1), "x"}}.view() <= variables{{"*", variable::passes, {}}}.view());
  HOLDS(!(variables{{"A", variable::set(1), "x"}}.view() <= variables{{"A", variable::set(1), "y"}}.view()));
  HOLDS(!(variables{{"A", variable::passes, {}}}.view() <= variables{{"A", variable::set(1), "y"}}.view()));
}

TEST_CASE("step function: equal functions have equal entries") {
  HOLDS(paths{{"/a", 1, {}}, {"/b", 2, {}}}.view() == paths{{"/b", 2, {}}, {"/a", 1, {}}}.view());
  HOLDS(paths{{"/a", 1, {}}}.view() == paths{{"/a", 1, {}}, {"/a/b", 1, {}}}.view());
  HOLDS(paths{{"/a", 1, {}}}.view() != paths{{"/a", 2, {}}}.view());
  HOLDS(paths{{"/a", 1, {}}}.view() != paths{{"/b", 1, {}}}.view());
  HOLDS(paths{{"/a", 1, {}}}.view() != paths{{"/a", 1, {}}, {"/b", 1, {}}}.view());
  HOLDS(variables{{"A", variable::set(1), "x"}}.view() != variables{{"A", variable::set(1), "y"}}.view());
}

} // namespace policy_step_function_test
