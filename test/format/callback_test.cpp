// SPDX-License-Identifier: BSL-1.0
#include <cordon/format/callback.hpp>

#include <doctest/doctest.h>

#include <functional>
#include <string>
#include <type_traits>

using cordon::callback;

namespace {

/// Counts its objects, and the copies among them.
struct counted {
  static inline int alive = 0, copies = 0;
  counted() { ++alive; }
  counted(const counted&) { ++alive, ++copies; }
  counted(counted&&) noexcept { ++alive; }
  counted& operator=(const counted&) = delete;
  ~counted() { --alive; }
  int operator()() const { return 5; }
};

int doubled(int n) { return 2 * n; }

static_assert(std::is_constructible_v<callback<int(int)>, int (*)(int)>);
static_assert(!std::is_constructible_v<callback<int(int)>, int (*)(std::string)>);
static_assert(!std::is_constructible_v<callback<std::string(int)>, int (*)(int)>);
static_assert(std::is_nothrow_move_constructible_v<callback<int(int)>>);

} // namespace

TEST_CASE("callback: one that was made from nothing, a null pointer or an empty std::function is empty") {
  CHECK_FALSE(callback<int(int)>());
  CHECK_FALSE(callback<int(int)>(nullptr));
  CHECK_FALSE(callback<int(int)>(static_cast<int (*)(int)>(nullptr)));
  CHECK_FALSE(callback<int(int)>(std::function<int(int)>()));
}

TEST_CASE("callback: functions, lambdas and std::function are called with their arguments") {
  CHECK(callback<int(int)>(doubled)(4) == 8);
  CHECK(callback<int(int)>(&doubled)(4) == 8);
  CHECK(callback<int(int)>([more = 3](int n) { return n + more; })(4) == 7);
  CHECK(callback<int(int)>(std::function<int(int)>(doubled))(4) == 8);
}

TEST_CASE("callback: a result is converted, and one of void is dropped") {
  CHECK(callback<long(int)>(doubled)(4) == 8L);
  int seen = 0;
  const callback<void(int)> drops([&](int n) { return seen = n; });
  drops(9);
  CHECK(seen == 9);
}

TEST_CASE("callback: arguments are moved, and references stay references") {
  const callback<std::string(std::string)> takes([](std::string s) { return s; });
  std::string given(100, 'x');
  CHECK(takes(std::move(given)) == std::string(100, 'x'));
  CHECK(given.empty()); // NOLINT(bugprone-use-after-move): that is the check
  const callback<void(int&)> changes([](int& n) { n = 1; });
  int changed = 0;
  changes(changed);
  CHECK(changed == 1);
}

TEST_CASE("callback: a copy has a state of its own") {
  const callback<int()> first([n = 0]() mutable { return ++n; });
  CHECK(first() == 1);
  const callback<int()> second = first; // NOLINT(performance-unnecessary-copy-initialization)
  CHECK(first() == 2);
  CHECK(first() == 3);
  CHECK(second() == 2);
}

TEST_CASE("callback: a move leaves an empty one and copies nothing, and no object is left") {
  counted::copies = 0;
  {
    callback<int()> from{counted()};
    callback<int()> to = std::move(from);
    CHECK_FALSE(from); // NOLINT(bugprone-use-after-move): that is the check
    CHECK(to() == 5);
    from = std::move(to);
    CHECK_FALSE(to); // NOLINT(bugprone-use-after-move): that is the check
    CHECK(counted::copies == 0);
    CHECK(counted::alive == 1);
    to = from;
    CHECK(counted::copies == 1);
    CHECK(counted::alive == 2);
    to = nullptr;
    CHECK(counted::alive == 1);
    const callback<int()>& same = from;
    from = same;
    CHECK(from() == 5);
  }
  CHECK(counted::alive == 0);
}

TEST_CASE("callback: an exception reaches the caller") {
  const callback<void()> throws([] { throw 7; });
  CHECK_THROWS_AS(throws(), int);
}
