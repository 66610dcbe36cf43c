// SPDX-License-Identifier: BSL-1.0
/// The laws of the hosts axis on random sets of patterns, against an evaluator without trees.
#include "lists.hpp"
#include "plain_hosts.hpp"

#include <doctest/doctest.h>

namespace host_laws_test {

using namespace cordon;

namespace {

// Unoptimised builds prove the same code on fewer axes.
#ifdef __OPTIMIZE__
constexpr int rounds = 1'500;
#else
constexpr int rounds = 100;
#endif

bool allows(const host_axis& a, const plain_hosts::point& p, std::size_t port) {
  host::requested_host q = host::parse_requested_host(p.text());
  q.port = static_cast<std::uint16_t>(plain_hosts::ports[port]);
  return q.how == host::asking::host && host::decide(a, q).allowed();
}

bool agrees(const host_axis& a, const plain_hosts::table& t, dice& d) {
  for (int i = 0; i < 30; ++i) {
    const std::size_t at = d.below(plain_hosts::hosts().points.size()), port = d.below(plain_hosts::ports.size());
    if (allows(a, plain_hosts::hosts().points[at], port) != t[port].test(at)) return false;
  }
  return true;
}

/// Counts the interesting cases: a law that no case applies to is not tested.
struct tally {
  int within = 0, not_within = 0, equal = 0, none = 0;
};

std::string_view order_breaks(const host_axis& a, const host_axis& b, const plain_hosts::table& x,
                              const plain_hosts::table& y, tally& seen) {
  const bool inside = a <= b;
  ++(inside ? seen.within : seen.not_within);
  if (inside != plain_hosts::within(x, y)) return "<=, point by point";
  if ((a == b) != (x == y)) return "equality";
  if (inside != (lists::meet(a, b).view() == a)) return "a <= b iff (a & b) == a";
  seen.equal += x == y;
  return {};
}

/// The words mean the same, also after parsing. Without denials none of them is redundant.
std::string_view words_break(const host_axis& a, const plain_hosts::table& t, tally& seen) {
  const std::vector<std::string> words = lists::words_of(a);
  const lists::large again(lists::joined(words));
  if (!again.fine || !(again.view() == a)) return "the words say the same";
  if (lists::words_of(again.view()) != words) return "the canonical form is its own";
  const bool nothing = t == plain_hosts::table{};
  seen.none += nothing;
  if ((words == std::vector<std::string>{"none"}) != nothing || a.is_none() != nothing) return "none";
  if ((words == std::vector<std::string>{"any"}) != a.is_any()) return "any";
  if (words[0].starts_with('!') || words.size() > 12) return {};
  for (std::size_t i = 0; i < words.size(); ++i) {
    std::vector<std::string> others = words;
    others.erase(others.begin() + static_cast<std::ptrdiff_t>(i));
    const lists::large less(lists::joined(others));
    if (words[i] != "none" && less.view() == a) return "no word is idle";
  }
  return {};
}

std::string_view broken(int seed, tally& seen) {
  dice d(static_cast<std::uint64_t>(seed));
  const bool denials = d.percent(60);
  const plain_hosts::axis u = plain_hosts::random(d, denials), v = plain_hosts::random(d, denials),
                          w = plain_hosts::random(d, denials);
  const lists::large x(u.words()), y(v.words()), z(w.words());
  const host_axis a = x.view(), b = y.view(), c = z.view();
  const plain_hosts::table p = u.allowed(), q = v.allowed(), r = w.allowed();
  const lists::meet ab(a, b), ba(b, a), bc(b, c), ab_c(ab.view(), c), a_bc(a, bc.view()), aa(a, a);
  if (!(x.fine && y.fine && z.fine && ab.fine() && ab_c.fine())) return "room";
  const host_axis m = ab.view(), low = ab_c.view();
  if (!agrees(a, p, d) || !agrees(m, plain_hosts::both(p, q), d) ||
      !agrees(low, plain_hosts::both(plain_hosts::both(p, q), r), d))
    return "the verdict, point by point";
  if (!(m == ba.view()) || !(low == a_bc.view()) || !(aa.view() == a)) return "commutative, associative, idempotent";
  if (!(ab.allowed.view() == ba.allowed.view()) || !(ab_c.allowed.view() == a_bc.allowed.view()))
    return "one list for each way";
  if (!(m <= a) || !(m <= b) || !(low <= m)) return "lower bound";
  if ((c <= a && c <= b) != (c <= m)) return "greatest lower bound";
  if (!(lists::meet(a, host::any_host).view() == a) || !lists::meet(a, host_axis{}).view().is_none())
    return "identity, absorbing";
  if (!(a <= host::any_host) || !(host_axis{} <= a)) return "top, bottom";
  if (const auto law = order_breaks(a, b, p, q, seen); !law.empty()) return law;
  if (const auto law = order_breaks(low, a, plain_hosts::both(plain_hosts::both(p, q), r), p, seen); !law.empty())
    return law;
  if (const auto law = order_breaks(c, m, r, plain_hosts::both(p, q), seen); !law.empty()) return law;
  if (const auto law = words_break(a, p, seen); !law.empty()) return law;
  return words_break(m, plain_hosts::both(p, q), seen);
}

} // namespace

TEST_CASE("hosts: the sample points distinguish all patterns") {
  const plain_hosts::world& w = plain_hosts::hosts();
  CHECK(w.points.size() > 140);
  REQUIRE(w.points.size() < plain_hosts::most_points);
  int equal = 0;
  for (std::size_t i = 0; i < w.patterns.size(); ++i)
    for (std::size_t j = 0; j < i; ++j) equal += w.covered[i] == w.covered[j];
  CHECK(equal == 1); // ::fffe:0:0/95 has no address beyond those of ::fffe:0:0/96
}

TEST_CASE("hosts: the laws hold for every pair of patterns") {
  const plain_hosts::world& w = plain_hosts::hosts();
  std::vector<plain_hosts::choice> all;
  for (std::size_t p = 0; p < w.patterns.size(); ++p)
    for (std::size_t k : {0U, 1U, 2U}) all.push_back({p, k});
  std::vector<lists::large> made;
  std::vector<plain_hosts::table> tables;
  for (const plain_hosts::choice& c : all) {
    made.emplace_back(c.text());
    tables.push_back(plain_hosts::axis{{c}}.allowed());
  }
  int yes = 0, wrong = 0;
  for (std::size_t i = 0; i < all.size(); ++i)
    for (std::size_t j = 0; j < all.size(); ++j) {
      const bool within = made[i].view() <= made[j].view();
      yes += within;
      wrong += within != plain_hosts::within(tables[i], tables[j]);
    }
  CHECK(yes > 600);
  CHECK(wrong == 0);
}

TEST_CASE("hosts: random axes keep the laws") {
  tally seen;
  for (int seed = 0; seed < rounds; ++seed) {
    const std::string law(broken(seed, seen));
    CAPTURE(seed);
    REQUIRE(law == "");
  }
  CHECK(seen.within > rounds);
  CHECK(seen.not_within > rounds / 2);
  CHECK(seen.equal > rounds / 20);
  CHECK(seen.none > rounds / 20);
}

TEST_CASE("hosts: a meet allows no address that one of the axes refuses") {
  const plain_hosts::world& w = plain_hosts::hosts();
  int dialled = 0;
  for (int seed = 0; seed < rounds; ++seed) {
    dice d(static_cast<std::uint64_t>(seed));
    const char* const extra[]{"", " localhost:443", " 127.0.0.0/8", " * localhost", " !127.0.0.1", " a 8.8.8.8"};
    const std::string more[]{d.one_of(extra), d.one_of(extra)};
    const auto words = [&](std::size_t i) {
      const std::string own = plain_hosts::random(d, true).words();
      return own == "none" ? "a" + more[i] : own + more[i];
    };
    const lists::large x(words(0)), y(words(1));
    const lists::meet m(x.view(), y.view());
    bool fine = x.fine && y.fine && m.fine();
    for (int i = 0; i < 20; ++i) {
      const plain_hosts::point& to = w.points[d.below(w.points.size())];
      const char* const names[]{"a", "x.b.a", "localhost", "x.localhost", "8.8.8.8"};
      host::requested_host q = host::parse_requested_host(d.percent(70) ? d.one_of(names) : to.text());
      q.port = static_cast<std::uint16_t>(plain_hosts::ports[d.below(plain_hosts::ports.size())]);
      const host::requested_host address = host::parse_requested_host(to.name.empty() ? to.text()
                                                                      : d.percent(50) ? "127.0.0.1"
                                                                                      : "8.8.8.8");
      const host::address own[]{host::ipv4(0x08080808)};
      const auto dials = [&](const host_axis& a) { return host::may_dial(a, q, address.address, own).allowed(); };
      const bool both = dials(x.view()) && dials(y.view());
      // One may permit by the name and the other by the address: then the meet permits by neither.
      const bool one_way =
          q.name.view().ends_with("localhost") || host::detail::equivalent_addresses(address.address).size == 2;
      fine = fine && (dials(m.view()) ? both : one_way || !both);
      dialled += both;
    }
    CAPTURE(seed);
    REQUIRE(fine);
  }
  CHECK(dialled > rounds / 4);
}

} // namespace host_laws_test
