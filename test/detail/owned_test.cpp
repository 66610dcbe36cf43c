// SPDX-License-Identifier: BSL-1.0
#include "holds.hpp"

#include <cordon/detail/owned.hpp>

#include <type_traits>

namespace detail_owned_test {

namespace {

using cordon::detail::owned;

/// Counts how often it was deleted.
struct counted {
  int* deleted;
  constexpr explicit counted(int* d) : deleted(d) {}
  counted(const counted&) = delete;
  counted& operator=(const counted&) = delete;
  constexpr ~counted() { ++*deleted; }
};

static_assert(!std::is_copy_constructible_v<owned<int>> && !std::is_copy_assignable_v<owned<int>>);
static_assert(std::is_nothrow_move_constructible_v<owned<int>> && std::is_nothrow_move_assignable_v<owned<int>>);
static_assert(!std::is_convertible_v<int*, owned<int>>);

constexpr int deleted_at_the_end() {
  int deleted = 0;
  { const owned<counted> one(new counted(&deleted)); }
  return deleted;
}

constexpr int deleted_after_moves() {
  int deleted = 0;
  {
    owned<counted> one(new counted(&deleted));
    owned<counted> two(static_cast<owned<counted>&&>(one));
    if (one || !two) return -1;
    one = static_cast<owned<counted>&&>(two);
    if (!one || two || deleted != 0) return -2;
  }
  return deleted;
}

constexpr bool assignment_deletes_the_old_one() {
  int old = 0, other = 0;
  owned<counted> to(new counted(&old));
  owned<counted> from(new counted(&other));
  to = static_cast<owned<counted>&&>(from);
  return old == 1 && other == 0 && to->deleted == &other && (*to).deleted == &other;
}

constexpr bool an_object_that_is_moved_to_itself_stays() {
  int deleted = 0;
  owned<counted> one(new counted(&deleted));
  owned<counted>& same = one;
  one = static_cast<owned<counted>&&>(same);
  return deleted == 0 && one;
}

} // namespace

TEST_CASE("owned: the object is deleted once, after any number of moves") {
  HOLDS(deleted_at_the_end() == 1);
  HOLDS(deleted_after_moves() == 1);
  HOLDS(!owned<int>());
}

TEST_CASE("owned: an assignment deletes the object of before, unless it is the same") {
  HOLDS(assignment_deletes_the_old_one());
  HOLDS(an_object_that_is_moved_to_itself_stays());
}

} // namespace detail_owned_test
