// SPDX-License-Identifier: BSL-1.0
/// The laws of the algebra on random policies, against a simple evaluator without step functions.
#include "../effort.hpp"
#include "../plain_policy.hpp"

#include <cordon.hpp>
#include <cordon/policy/heap.hpp>

#include <doctest/doctest.h>

#include <algorithm>

namespace policy_laws_test {

using namespace cordon;

namespace {

// Unoptimised and instrumented, these tests take longer than all others together.
const int triples = effort(100'000) == 100'000 ? 100'000 : 3'000;

template <class Policy> struct triple {
  plain::policy x, y, z, met, under;
  Policy a, b, c, low;

  explicit triple(dice& d) {
    x = plain::random(d), y = plain::random(d), met = plain::meet(x, y);
    under = plain::meet(met, plain::random(d));
    z = d.percent(50) ? plain::random(d) : plain::near(d.percent(50) ? met : under, x, d);
    a = plain::made<Policy>(x), b = plain::made<Policy>(y), c = plain::made<Policy>(z),
    low = plain::made<Policy>(under);
  }
};

/// Counts the interesting cases: a law that no case applies to is not tested.
struct tally {
  int related = 0, unrelated = 0, lower_bounds = 0;
};

/// Does u allow more than v at the place of this excess?
bool is_excess(const violation& e, const plain::policy& u, const plain::policy& v) {
  if (e.place.empty() || e.axis == axis::limits) return e.granted != e.ceiling;
  if (e.axis == axis::hosts) {
    const auto& places = plain::hosts().places;
    const auto at = host::is_block(e.place) ? places.begin() : std::find(places.begin(), places.end(), e.place);
    return at != places.end() && plain::reaches(u, static_cast<std::size_t>(at - places.begin())) &&
           !plain::reaches(v, static_cast<std::size_t>(at - places.begin()));
  }
  for (std::size_t p = 0; p < part_count; ++p) {
    const auto& places = plain::world_of(p).places;
    for (std::size_t i = 0; i < places.size(); ++i)
      if (axis_of(static_cast<axis_id>(p)) == e.axis && places[i] == e.place)
        return !plain::within(p, u.parts[p][i], v.parts[p][i]);
  }
  return false;
}

/// The order, checked in several ways.
template <class Policy>
std::string_view order_breaks(const Policy& p, const Policy& q, const plain::policy& u, const plain::policy& v,
                              tally& seen) {
  const bool inside = p <= q;
  ++(inside ? seen.related : seen.unrelated);
  if (inside != plain::within(u, v)) return "<=, place by place";
  if (inside != ((p & q) == p)) return "a <= b iff (a & b) == a";
  if ((p == q) != plain::same(u, v) || (p == q) != (inside && q <= p)) return "equality";
  bool proven = true;
  const std::size_t count = excess(p, q, [&](const violation& e) { proven = proven && is_excess(e, u, v); });
  if (!proven) return "each excess has a witness";
  if ((count == 0) != inside) return "no excess iff within";
  return {};
}

/// The first law that these policies break; empty if there is none.
template <class Policy> std::string_view broken(const triple<Policy>& t, dice& d, tally& seen) {
  const auto& [x, y, z, met, under, a, b, c, low] = t;
  static const Policy top = unconfined<Policy>(widening::all_axes{}), bottom = nothing<Policy>();
  const Policy m = a & b;
  if (!(m == (b & a))) return "commutative";
  if (!((m & c) == (a & (b & c)))) return "associative";
  if (!((a & a) == a)) return "idempotent";
  if (!(m <= a) || !(m <= b)) return "lower bound";
  if (!(low <= a) || !(low <= b) || !(low <= m)) return "greatest lower bound";
  if ((c <= a && c <= b) != (c <= m)) return "greatest of all lower bounds";
  if (!((low & c) <= (m & c))) return "monotone";
  if (!((top & a) == a) || !((a & top) == a) || !(a <= top)) return "identity";
  if (!((bottom & a) == bottom) || !((a & bottom) == bottom) || !(bottom <= a)) return "absorbing";
  if (!(plain::made<Policy>(met) == m)) return "the canonical form is unique";
  if (const auto law = order_breaks(a, b, x, y, seen); !law.empty()) return law;
  if (const auto law = order_breaks(low, a, under, x, seen); !law.empty()) return law;
  if (const auto law = order_breaks(c, m, z, met, seen); !law.empty()) return law;
  seen.lower_bounds += c <= m;
  for (int i = 0; i < 4; ++i) {
    const std::size_t place = d.below(1U << 16);
    if (!plain::agrees(a, x, place) || !plain::agrees(low, under, place)) return "find";
    if (!plain::agrees(m, met, place)) return "the meet, place by place";
  }
  return {};
}

template <class Policy> void check_laws(int first, int count) {
  tally seen;
  for (int seed = first; seed < first + count; ++seed) {
    dice d(static_cast<std::uint64_t>(seed));
    const triple<Policy> t(d);
    const std::string law(broken(t, d, seen));
    CAPTURE(seed);
    REQUIRE(law == "");
  }
  CHECK(seen.related >= count);
  CHECK(seen.unrelated > count / 2);
  CHECK(seen.lower_bounds > count / 20);
}

} // namespace

TEST_CASE("laws: random policies in fixed storage") { check_laws<basic_policy<fixed_storage<80, 800>>>(0, triples); }
TEST_CASE("laws: random policies on the heap") { check_laws<loaded_policy>(triples, triples); }
TEST_CASE("laws: random policies in the storage of constants") { check_laws<policy>(2 * triples, triples / 100); }

TEST_CASE("laws: narrowing keeps the rights below the root, and nothing else") {
  using policy = basic_policy<fixed_storage<80, 800>>;
  const plain::world& w = plain::paths();
  for (int seed = 0; seed < triples / 10; ++seed) {
    dice d(static_cast<std::uint64_t>(seed));
    plain::policy x = plain::random(d);
    const auto a = plain::made<policy>(x);
    const std::size_t root = d.below(w.places.size());
    const auto n = narrow(a, w.places[root]);
    for (const axis_id p : {axis_id::workspace, axis_id::files})
      for (std::size_t i = 0; i < w.places.size(); ++i)
        if (!w.covers[root][i]) x.parts[static_cast<std::size_t>(p)][i] = 0;
    bool agrees = n <= a && narrow(n, w.places[root]) == n;
    for (std::size_t i = 0; i < w.places.size(); ++i) agrees = agrees && plain::agrees(n, x, i);
    CAPTURE(seed);
    REQUIRE(agrees);
  }
}

TEST_CASE("laws: widening adds the rights down to the next entries below, and nothing else") {
  using policy = basic_policy<fixed_storage<80, 800>>;
  const plain::world& w = plain::paths();
  for (int seed = 0; seed < triples / 10; ++seed) {
    dice d(static_cast<std::uint64_t>(seed));
    const auto a = plain::made<policy>(plain::random(d));
    const std::size_t root = d.below(w.places.size());
    const rights more = rights::from_bits(d.below(256));
    const auto b = widen(a, widening::files{}, w.places[root], more);
    bool agrees = a <= b && b.workspace() == a.workspace() && b.environment() == a.environment();
    for (std::size_t i = 0; i < w.places.size(); ++i) {
      const std::uint32_t entry = a.files().find(w.places[i]);
      const bool own = entry != no_slot && a.files().place(entry) != w.places[root] &&
                       path::covers(w.places[root], a.files().place(entry));
      const std::uint32_t now = b.files().lookup(w.places[i]);
      agrees = agrees && now == (a.files().lookup(w.places[i]) | (w.covers[root][i] && !own ? more.bits() : 0));
    }
    CAPTURE(seed);
    REQUIRE(agrees);
  }
}

} // namespace policy_laws_test
