// SPDX-License-Identifier: BSL-1.0
/// The laws of the algebra on every policy of worlds that are small enough to list them all.
#include <cordon/policy/policy.hpp>

#include <doctest/doctest.h>

#include <vector>

namespace policy_laws_small_test {

using namespace cordon;

namespace {

using store = fixed_storage<12, 96>;

template <class Tree> struct function {
  store storage{};
  [[nodiscard]] step_function<Tree> view() const { return {storage.all_slots(), storage.size(), storage.text()}; }
};

template <class Tree> function<Tree> meet(const function<Tree>& a, const function<Tree>& b) {
  function<Tree> m;
  step_function_builder<Tree, store> out(m.storage);
  out.add_meet(a.view(), b.view());
  REQUIRE(out.close().code == diagnostic_code::ok);
  return m;
}

/// A place of the world with the values that it may have; the first of them is "not listed".
struct choice {
  std::string_view place;
  std::vector<entry> values;
};

/// Every list of entries over these places.
template <class Tree> std::vector<function<Tree>> all_lists(const std::vector<choice>& world) {
  std::vector<function<Tree>> lists;
  std::size_t count = 1;
  for (const choice& c : world) count *= c.values.size() + 1;
  for (std::size_t number = 0; number < count; ++number) {
    function<Tree> f;
    step_function_builder<Tree, store> out(f.storage);
    std::size_t rest = number;
    for (const choice& c : world) {
      const std::size_t which = rest % (c.values.size() + 1);
      rest /= c.values.size() + 1;
      if (which != 0) out.add({c.place, c.values[which - 1].value, c.values[which - 1].payload});
    }
    REQUIRE(out.close().code == diagnostic_code::ok);
    lists.push_back(f);
  }
  return lists;
}

template <class Tree>
bool mean_the_same(const function<Tree>& a, const function<Tree>& b, const std::vector<choice>& world) {
  for (const choice& c : world) {
    const entry x = a.view().at(a.view().find(c.place)), y = b.view().at(b.view().find(c.place));
    if (x.value != y.value || x.payload != y.payload) return false;
  }
  return true;
}

/// One list for each meaning; lists with the same meaning must be equal.
template <class Tree> std::vector<function<Tree>> distinct(const std::vector<choice>& world) {
  std::vector<function<Tree>> kept;
  for (const function<Tree>& f : all_lists<Tree>(world)) {
    bool is_new = true;
    for (const function<Tree>& k : kept) {
      REQUIRE(mean_the_same(f, k, world) == (f.view() == k.view()));
      if (f.view() == k.view()) is_new = false;
    }
    if (is_new) kept.push_back(f);
  }
  return kept;
}

template <class Tree> void check_all(const std::vector<choice>& world, std::size_t meanings) {
  const auto all = distinct<Tree>(world);
  CHECK(all.size() == meanings);
  std::vector<std::vector<function<Tree>>> met(all.size());
  bool fine = true;
  for (std::size_t i = 0; i < all.size(); ++i)
    for (std::size_t j = 0; j < all.size(); ++j) {
      met[i].push_back(meet(all[i], all[j]));
      const auto m = met[i][j].view();
      fine = fine && m <= all[i].view() && m <= all[j].view();
      fine = fine && (all[i].view() <= all[j].view()) == (m == all[i].view());
      fine = fine && (i != j || m == all[i].view());
      fine = fine && (j >= i || m == met[j][i].view());
      for (const choice& c : world) {
        const auto at = [&](const function<Tree>& f) { return f.view().at(f.view().find(c.place)); };
        const entry wanted = Tree::meet(at(all[i]), at(all[j])), is = at(met[i][j]);
        fine = fine && is.value == wanted.value && is.payload == wanted.payload;
      }
    }
  CHECK(fine);
  for (std::size_t i = 0; i < all.size(); ++i)
    for (std::size_t j = 0; j < all.size(); ++j)
      for (std::size_t k = 0; k < all.size(); ++k) {
        fine = fine && meet(met[i][j], all[k]).view() == meet(all[i], met[j][k]).view();
        const bool below_both = all[k].view() <= all[i].view() && all[k].view() <= all[j].view();
        fine = fine && below_both == (all[k].view() <= met[i][j].view());
      }
  CHECK(fine);
}

} // namespace

TEST_CASE("laws: every function of two rights over a small tree of paths") {
  const std::vector<entry> rights{{"", 0, {}}, {"", 1, {}}, {"", 3, {}}};
  check_all<path_tree>({{"/", rights}, {"/a", rights}, {"/a-", rights}, {"/a/b", rights}}, 81);
}

TEST_CASE("laws: every set of names over a small tree of prefixes") {
  const std::vector<entry> in_or_out{{"", 0, {}}, {"", 1, {}}};
  check_all<name_tree>({{"*", in_or_out}, {"A*", in_or_out}, {"A", in_or_out}, {"AB*", in_or_out}, {"B", in_or_out}},
                       32);
}

TEST_CASE("laws: every environment over a small tree of variables") {
  const std::vector<entry> prefix{{"", variable::absent, {}}, {"", variable::passes, {}}};
  const std::vector<entry> name{{"", variable::absent, {}},
                                {"", variable::passes, {}},
                                {"", variable::set(1), "x"},
                                {"", variable::set(1), "y"},
                                {"", variable::set(0), ""}};
  check_all<environment_tree>({{"*", prefix}, {"A*", prefix}, {"A", name}}, 20);
}

TEST_CASE("laws: every combination of the ends of the plain axes") {
  std::vector<plain_axes> all;
  for (unsigned i = 0; i < 128; ++i) {
    plain_axes p;
    p.profile = i & 1 ? profile::unrestricted : profile::os_hardened;
    p.level = i & 2 ? level::network : level::none;
    p.fallback = i & 4 ? fallback::off : fallback::enforce;
    p.syscalls = i & 8 ? syscalls::inherit : syscalls::strict;
    p.interpreters = (i & 16) != 0;
    p.abilities = i & 32 ? abilities::any() : abilities();
    p.limits.set(limit::memory, i & 64 ? limits::unlimited : 1);
    all.push_back(p);
  }
  bool fine = true;
  for (unsigned i = 0; i < 128; ++i)
    for (unsigned j = 0; j < 128; ++j) {
      fine = fine && (all[i] & all[j]) == all[i & j] && (all[i] <= all[j]) == ((i & j) == i);
      fine = fine && (all[i] == all[j]) == (i == j);
    }
  CHECK(fine);
}

} // namespace policy_laws_small_test
