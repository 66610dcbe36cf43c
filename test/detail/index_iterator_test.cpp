// SPDX-License-Identifier: BSL-1.0
#include "../holds.hpp"

#include <cordon.hpp>
#include <cordon/backend/unveil.hpp>

#include <algorithm>
#include <iterator>
#include <ranges>
#include <string>

namespace detail_index_iterator_test {

using namespace cordon;
using namespace cordon::dsl;

namespace {

using files = step_function<path_tree>;
using gaps_of_constants = gap_list<policy::storage>;

static_assert(std::random_access_iterator<std::ranges::iterator_t<const files>>);
static_assert(std::ranges::random_access_range<const files> && std::ranges::sized_range<const files>);
static_assert(std::ranges::borrowed_range<files>);
static_assert(std::ranges::random_access_range<const gaps_of_constants>);
static_assert(std::ranges::sized_range<const gaps_of_constants> && std::ranges::common_range<const gaps_of_constants>);
static_assert(std::ranges::random_access_range<const limits> &&
              std::ranges::random_access_range<decltype(limit_table)>);

constexpr policy job = policy_of({can_run("/usr"), can_write("/srv/app"), hidden("/srv/app/.git")});

constexpr std::size_t read_only_entries(const policy& p) {
  std::size_t count = 0;
  for (const entry& e : p.files()) count += rights::from_bits(e.value).has(right::write) ? 0U : 1U;
  return count;
}

} // namespace

TEST_CASE("step function: a loop visits the entries in the order of the walk, also backwards") {
  HOLDS(read_only_entries(job) == 2);
  const auto all = job.files();
  std::uint32_t i = 0;
  for (const entry& e : all) CHECK(e.place == all.place(i++));
  CHECK(i == all.size());
  for (auto at = all.end(); at != all.begin();) CHECK((*--at).place == all.place(--i));
  CHECK(std::ranges::find(all, "/srv/app/.git", &entry::place) - all.begin() == all.find("/srv/app/.git"));
  CHECK(all.end() - all.begin() == all.size());
  CHECK(all.begin()[1].place == all.place(1));
  CHECK((*(2 + all.begin() - 1)).place == all.place(1));
  CHECK(all.begin() < all.end());
}

TEST_CASE("gap list: a loop visits the gaps, and each has its stable ID") {
  constexpr auto made = unveil::compile(policy_of({can_read("/srv/read"), passes("*")}));
  REQUIRE(!made.gaps.empty());
  std::uint32_t i = 0;
  for (const gap& g : made.gaps) {
    CHECK(g.what == made.gaps[i].what);
    CHECK(g.id<std::string>() == std::string(g.what) + (g.place.empty() ? "" : ":" + std::string(g.place)));
    ++i;
  }
  CHECK(i == made.gaps.size());
  CHECK(gap{gap_kind::unenforced, "a.b", "/c"}.id<std::string>() == "a.b:/c");
  CHECK(gap{gap_kind::unenforced, "a.b", ""}.id<std::string>() == "a.b");
}

TEST_CASE("limits: a loop visits all of them with their values") {
  limits some;
  some.set(limit::memory, 5);
  std::size_t i = 0;
  for (const limit_value& l : some) {
    CHECK(l.which == limit_table[i++].which);
    CHECK(l.value == some[l.which]);
  }
  CHECK(i == limit_names.size());
}

} // namespace detail_index_iterator_test
