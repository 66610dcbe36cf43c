// SPDX-License-Identifier: BSL-1.0
#include "../holds.hpp"

#include <cordon/policy/policy.hpp>

#include <initializer_list>

namespace policy_step_function_builder_test {

using namespace cordon;

namespace {

using store = fixed_storage<6, 64>;

template <class Tree> struct written {
  store storage{};
  diagnostic error{};
  [[nodiscard]] constexpr step_function<Tree> view() const {
    return {storage.all_slots(), storage.size(), storage.text()};
  }
};

template <class Tree = path_tree> constexpr auto write(std::initializer_list<entry> entries, bool list = false) {
  written<Tree> w;
  step_function_builder<Tree, store> out(w.storage);
  for (const entry& e : entries) out.add(e);
  w.error = list ? out.close_list() : out.close();
  return w;
}

constexpr bool is_list(const auto& w, std::initializer_list<entry> wanted) {
  std::uint32_t i = 0;
  if (w.error.code != diagnostic_code::ok || w.view().size() != wanted.size()) return false;
  for (const entry& e : wanted) {
    if (w.view().place(i) != e.place || w.view()[i].value != e.value || w.view()[i].payload != e.payload) return false;
    ++i;
  }
  return true;
}

} // namespace

TEST_CASE("step_function_builder: entries are sorted in the order of the tree") {
  HOLDS(is_list(write({{"/b", 2, {}}, {"/a-", 4, {}}, {"/a/z", 1, {}}, {"/a", 3, {}}}),
                {{"/a", 3, {}}, {"/a/z", 1, {}}, {"/a-", 4, {}}, {"/b", 2, {}}}));
}

TEST_CASE("step_function_builder: an entry equal to the nearest one above it is dropped") {
  HOLDS(is_list(write({{"/a", 3, {}}, {"/a/b", 3, {}}, {"/a/b/c", 1, {}}, {"/a/b/c/d", 1, {}}, {"/e", 0, {}}}),
                {{"/a", 3, {}}, {"/a/b/c", 1, {}}}));
  HOLDS(is_list(write({{"/a", 3, {}}, {"/a/b", 0, {}}, {"/a/b/c", 3, {}}, {"/c", 3, {}}}),
                {{"/a", 3, {}}, {"/a/b", 0, {}}, {"/a/b/c", 3, {}}, {"/c", 3, {}}}));
  HOLDS(write({{"/a", 3, {}}, {"/a/b", 3, {}}, {"/a/b/c", 1, {}}}).view().parent(1) == 0);
  HOLDS(is_list(write<environment_tree>({{"A*", 1, {}}, {"AB", variable::set(1), "x"}, {"AC", 1, {}}}),
                {{"A*", 1, {}}, {"AB", variable::set(1), "x"}}));
}

TEST_CASE("step_function_builder: add_all adds a function, alone or with other entries") {
  static constexpr auto a = write({{"/b", 3, {}}, {"/b/c", 1, {}}}), b = write({{"/a", 3, {}}, {"/b/c/d", 3, {}}});
  constexpr auto of = [](bool both, bool more) {
    written<path_tree> w;
    step_function_builder<path_tree, store> out(w.storage);
    out.add_all(a.view());
    if (both) out.add_all(b.view());
    if (more) out.add({"/", 1, {}});
    w.error = out.close();
    return w;
  };
  HOLDS(is_list(of(false, false), {{"/b", 3, {}}, {"/b/c", 1, {}}}) && of(false, false).view().parent(1) == 0);
  HOLDS(is_list(of(true, false), {{"/a", 3, {}}, {"/b", 3, {}}, {"/b/c", 1, {}}, {"/b/c/d", 3, {}}}));
  HOLDS(is_list(of(false, true), {{"/", 1, {}}, {"/b", 3, {}}, {"/b/c", 1, {}}}) &&
        of(false, true).view().parent(2) == 1);
}

TEST_CASE("step_function_builder: a list keeps every entry") {
  HOLDS(is_list(write({{"/a/b", 3, {}}, {"/a", 3, {}}, {"/e", 0, {}}}, true),
                {{"/a", 3, {}}, {"/a/b", 3, {}}, {"/e", 0, {}}}));
  HOLDS(write({{"/a/b", 3, {}}, {"/a", 3, {}}}, true).view().parent(1) == 0);
}

TEST_CASE("step_function_builder: a repeated place is an error, also with the same value") {
  HOLDS(write({{"/a", 1, {}}, {"/b", 1, {}}, {"/a", 1, {}}}).error.code == diagnostic_code::duplicate_place);
  HOLDS(write({{"/a", 1, {}}, {"/a", 2, {}}}, true).error.code == diagnostic_code::duplicate_place);
  // The first of the two is dropped, since its value equals that of the entry above. The second is still a duplicate.
  HOLDS(write({{"/", 1, {}}, {"/a", 1, {}}, {"/a", 2, {}}}).error.code == diagnostic_code::duplicate_place);
  const auto w = write({{"/b", 1, {}}, {"/b", 2, {}}});
  CHECK(w.error.code == diagnostic_code::duplicate_place);
}

TEST_CASE("step_function_builder: too many entries are an error, also if later ones would fit") {
  HOLDS(write({{"/a", 1, {}}, {"/b", 1, {}}, {"/c", 1, {}}, {"/d", 1, {}}, {"/e", 1, {}}, {"/f", 1, {}}}).error.code ==
        diagnostic_code::ok);
  HOLDS(write({{"/a", 1, {}}, {"/b", 1, {}}, {"/c", 1, {}}, {"/d", 1, {}}, {"/e", 1, {}}, {"/f", 1, {}}, {"/g", 1, {}}})
            .error.code == diagnostic_code::policy_too_large);
  HOLDS(write({{"/a", 1, {}},
               {"/0123456789012345678901234567890123456789012345678901234567890123456789", 1, {}},
               {"/b", 1, {}}})
            .error.code == diagnostic_code::policy_too_large);
}

TEST_CASE("step_function_builder: functions in one storage are independent") {
  store s;
  step_function_builder<path_tree, store> first(s);
  first.add({"/b", 1, {}});
  CHECK(first.close().code == diagnostic_code::ok);
  step_function_builder<path_tree, store> second(s);
  second.add({"/b", 1, {}});
  second.add({"/a", 2, {}});
  CHECK(second.close().code == diagnostic_code::ok);
  const step_function<path_tree> a(s.all_slots(), 1, s.text()), b(s.all_slots() + 1, 2, s.text());
  CHECK(a.lookup("/b") == 1);
  CHECK(a.lookup("/a") == 0);
  CHECK(b.lookup("/a") == 2);
  CHECK(b.lookup("/b") == 1);
}

TEST_CASE("step_function_builder: a meet has at each place the meet of both values") {
  constexpr auto a = write({{"/", 1, {}}, {"/a", 7, {}}, {"/b", 2, {}}});
  constexpr auto b = write({{"/a/c", 3, {}}, {"/a/c/d", 4, {}}, {"/b", 3, {}}});
  constexpr auto meet = [](const auto& x, const auto& y) {
    written<path_tree> w;
    step_function_builder<path_tree, store> out(w.storage);
    out.add_meet(x.view(), y.view());
    w.error = out.close();
    return w;
  };
  HOLDS(is_list(meet(a, b), {{"/a/c", 3, {}}, {"/a/c/d", 4, {}}, {"/b", 2, {}}}));
  HOLDS(is_list(meet(b, a), {{"/a/c", 3, {}}, {"/a/c/d", 4, {}}, {"/b", 2, {}}}));
  HOLDS(is_list(meet(a, write({})), {}));
}

} // namespace policy_step_function_builder_test
