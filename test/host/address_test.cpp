// SPDX-License-Identifier: BSL-1.0
#include "../dice.hpp"
#include "../holds.hpp"

#include <cordon/host/special.hpp>

#include <iterator>

namespace host_address_test {

using namespace cordon::host;

namespace {

constexpr address ten = ipv4(0x0A000000);
constexpr address doc = ipv6(0x20010DB800000000, 1);

/// Checks that the classes cover all addresses without a gap. Returns: their number.
template <family F> constexpr int runs() {
  int count = 0;
  const address last = whole(F).last();
  for (address at = whole(F).first;;) {
    const address_class_run run = address_class_at(at);
    ++count;
    if (run.last < at || address_class_at(run.last).address_class != run.address_class ||
        address_class_at(run.last).last != run.last)
      return -1;
    if (run.last == last) return count;
    at = next(run.last);
  }
}

} // namespace

TEST_CASE("address: prefixes and what they cover") {
  HOLDS(prefix{ten, 8}.covers(ipv4(0x0AFFFFFF)));
  HOLDS(!prefix{ten, 8}.covers(ipv4(0x0B000000)));
  HOLDS(prefix{ten, 8}.last() == ipv4(0x0AFFFFFF));
  HOLDS(prefix{ten, 9}.last() == ipv4(0x0A7FFFFF));
  HOLDS(prefix{ten, 15}.covers(ipv4(0x0A01FFFF)));
  HOLDS(!prefix{ten, 15}.covers(ipv4(0x0A020000)));
  HOLDS(prefix{ten, 8}.covers(prefix{ten, 9}));
  HOLDS(!prefix{ten, 9}.covers(prefix{ten, 8}));
  HOLDS(whole(family::v4).covers(ipv4(0xFFFFFFFF)));
  HOLDS(!whole(family::v4).covers(doc));
  HOLDS(whole(family::v6).last() == ipv6(~std::uint64_t{0}, ~std::uint64_t{0}));
  HOLDS(only(doc).last() == doc);
  HOLDS(only(doc).covers(doc));
  HOLDS(prefix_of(ipv4(0x0A010203), 8) == prefix{ten, 8});
  HOLDS(prefix_of(ipv4(0x0A0102FF), 27) == prefix{ipv4(0x0A0102E0), 27});
  HOLDS(prefix{ten, 8}.half(false) == prefix{ten, 9});
  HOLDS(prefix{ten, 8}.half(true) == prefix{ipv4(0x0A800000), 9});
  HOLDS(prefix{ten, 31}.half(true) == only(ipv4(0x0A000001)));
  HOLDS(common(ipv4(0x0A000000), ipv4(0x0AFFFFFF)) == prefix{ten, 8});
  HOLDS(common(doc, doc) == only(doc));
}

TEST_CASE("address: order and neighbours") {
  HOLDS(ipv4(0xFFFFFFFF) < ipv6(0, 0));
  HOLDS(ipv4(0x09FFFFFF) < ten);
  HOLDS(next(ipv4(0x0AFFFFFF)) == ipv4(0x0B000000));
  HOLDS(previous(ipv4(0x0B000000)) == ipv4(0x0AFFFFFF));
  HOLDS(next(ipv6(1, ~std::uint64_t{0})) == ipv6(2, 0));
  HOLDS(previous(ipv6(2, 0)) == ipv6(1, ~std::uint64_t{0}));
  HOLDS(next(ipv4(0xFFFFFFFF)) == ipv4(0));
}

TEST_CASE("address: a mapped address equals its IPv4 address") {
  HOLDS(unmapped(ipv6(0, 0xFFFF0A000000)) == ten);
  HOLDS(unmapped(doc) == doc);
  HOLDS(unmapped(prefix{ipv6(0, 0xFFFF0A000000), 104}) == prefix{ten, 8});
  HOLDS(unmapped(prefix{ipv6(0, 0xFFFF00000000), 96}) == whole(family::v4));
  HOLDS(unmapped(prefix{ipv6(0, 0xFFFE00000000), 95}).length == 95);
}

TEST_CASE("special: special addresses are recognised") {
  HOLDS(is_special(ipv4(0x7F000001)));
  HOLDS(is_special(ipv4(0xA9FEA9FE)));
  HOLDS(is_special(ipv4(0x646464C8)));
  HOLDS(is_special(ipv4(0xA83F8110)));
  HOLDS(!is_special(ipv4(0xA83F8111)));
  HOLDS(is_special(ipv4(0xC00000C0)));
  HOLDS(!is_special(ipv4(0xC00000C1)));
  HOLDS(is_special(ipv4(0xFFFFFFFF)));
  HOLDS(!is_special(ipv4(0xDFFFFFFF)));
  HOLDS(!is_special(ipv4(0x08080808)));
  HOLDS(!is_special(doc));
  HOLDS(is_special(ipv6(0, 0)));
  HOLDS(is_special(ipv6(0, 1)));
  HOLDS(is_special(ipv6(0, 0x7F000001)));
  HOLDS(!is_special(ipv6(0, 0x08080808)));
  HOLDS(is_special(ipv6(0, 0xFFFF00007F000001)));
  HOLDS(is_special(ipv6(0x20027F0000010000, 0)));
  HOLDS(!is_special(ipv6(0x2002080808080000, 0)));
  HOLDS(is_special(ipv6(0x0064FF9B00010000, 0x08080808)));
  HOLDS(is_special(ipv6(0xFE80000000000000, 1)));
  HOLDS(is_special(ipv6(0xFEC0000000000000, 1)));
  HOLDS(is_special(ipv6(0xFF02000000000000, 1)));
  HOLDS(is_special(ipv6(0xFD000EC200000000, 0x254)));
  HOLDS(address_class_at(ipv6(0, 0xFFFF08080808)).address_class == address_class::mapped_ipv4);
}

namespace {

struct special_range {
  address first, last;
};
constexpr special_range special_ranges[]{
    {ipv4(0x00000000), ipv4(0x00FFFFFF)}, {ipv4(0x0A000000), ipv4(0x0AFFFFFF)}, {ipv4(0x64400000), ipv4(0x647FFFFF)},
    {ipv4(0x7F000000), ipv4(0x7FFFFFFF)}, {ipv4(0xA83F8110), ipv4(0xA83F8110)}, {ipv4(0xA9FE0000), ipv4(0xA9FEFFFF)},
    {ipv4(0xAC100000), ipv4(0xAC1FFFFF)}, {ipv4(0xC00000C0), ipv4(0xC00000C0)}, {ipv4(0xC0A80000), ipv4(0xC0A8FFFF)},
    {ipv4(0xE0000000), ipv4(0xFFFFFFFF)},
};
constexpr special_range special_v6_ranges[]{
    {ipv6(0x0064FF9B00010000, 0), ipv6(0x0064FF9B0001FFFF, ~std::uint64_t{0})},
    {ipv6(0xFC00000000000000, 0), ipv6(0xFDFFFFFFFFFFFFFF, ~std::uint64_t{0})},
    {ipv6(0xFE80000000000000, 0), ipv6(0xFEBFFFFFFFFFFFFF, ~std::uint64_t{0})},
    {ipv6(0xFEC0000000000000, 0), ipv6(0xFEFFFFFFFFFFFFFF, ~std::uint64_t{0})},
    {ipv6(0xFF00000000000000, 0), ipv6(0xFFFFFFFFFFFFFFFF, ~std::uint64_t{0})},
};

/// In how many ranges of the table are both ends special?
template <std::size_t N> constexpr std::size_t special_ends(const special_range (&all)[N]) {
  std::size_t count = 0;
  for (const special_range& r : all) count += is_special(r.first) && is_special(r.last) ? 1 : 0;
  return count;
}
/// Is an address special if and only if the table has it? At each end and its neighbours.
template <std::size_t N> constexpr bool ends_there(const special_range (&all)[N]) {
  const auto listed = [&](const address& a) {
    for (const special_range& r : all)
      if (r.first <= a && a <= r.last) return true;
    return false;
  };
  for (const special_range& r : all)
    for (const address& a : {previous(r.first), r.first, r.last, next(r.last)})
      if (is_special(a) != listed(a)) return false;
  return true;
}
/// Of the IPv4 addresses in that form, is each as special as it is by itself?
constexpr bool is_judged_by_what_it_holds(std::uint64_t high, std::uint64_t low, unsigned shift_high) {
  for (const special_range& r : special_ranges)
    for (const address& a : {previous(r.first), r.first, r.last, next(r.last)}) {
      std::uint64_t number = 0;
      for (std::size_t i = 0; i < 4; ++i) number = number << 8 | a.bytes[i];
      const address in = shift_high != 0 ? ipv6(high | number << shift_high, low) : ipv6(high, low | number);
      if (is_special(in) != is_special(a)) return false;
    }
  return true;
}

} // namespace

TEST_CASE("special: each range begins and ends where its standard says") {
  HOLDS(special_ends(special_ranges) == std::size(special_ranges));
  HOLDS(special_ends(special_v6_ranges) == std::size(special_v6_ranges));
  HOLDS(ends_there(special_ranges));
  HOLDS(!is_special(ipv6(0xFBFFFFFFFFFFFFFF, ~std::uint64_t{0})));
  HOLDS(!is_special(ipv6(0xFE7FFFFFFFFFFFFF, ~std::uint64_t{0})));
  HOLDS(!is_special(ipv6(0x0064FF9B00020000, 0)));
}

TEST_CASE("special: an address that embeds an IPv4 address has its class") {
  HOLDS(is_judged_by_what_it_holds(0, 0, 0));
  HOLDS(is_judged_by_what_it_holds(0, 0xFFFF000000000000, 0));
  HOLDS(is_judged_by_what_it_holds(0x0064FF9B00000000, 0, 0));
  HOLDS(is_judged_by_what_it_holds(0x2002000000000000, 0, 16));
}

TEST_CASE("special: the tables are in order and leave no gap") {
  HOLDS(runs<family::v4>() == 19);
  HOLDS(runs<family::v6>() == 89);
}

TEST_CASE("special: a prefix has the classes of its addresses") {
  HOLDS(has(prefix{ten, 8}, address_class::special_purpose));
  HOLDS(!has(prefix{ten, 8}, address_class::global));
  HOLDS(has(prefix{ten, 7}, address_class::global));
  HOLDS(has(prefix{ten, 7}, address_class::special_purpose));
  HOLDS(!has(prefix{ipv4(0x08000000), 7}, address_class::special_purpose));
  HOLDS(!has(prefix{ipv4(0xE0000000), 3}, address_class::global));
  HOLDS(has(prefix{ipv4(0xC0000000), 24}, address_class::special_purpose));
  HOLDS(has(whole(family::v6), address_class::mapped_ipv4));
  HOLDS(!has(prefix{ipv6(0, 0xFFFF00000000), 96}, address_class::global));
}

TEST_CASE("special: loopback, and addresses inside of others") {
  HOLDS(is_loopback(ipv4(0x7FFFFFFF)));
  HOLDS(!is_loopback(ipv4(0x80000000)));
  HOLDS(is_loopback(ipv6(0, 1)));
  HOLDS(!is_loopback(ipv6(0, 0)));
  const auto inner = [](const address& a) {
    address b;
    return embeds(a, b) ? b : a;
  };
  HOLDS(inner(ipv6(0x0064FF9B00000000, 0x0A000000)) == ten);
  HOLDS(inner(ipv6(0x20020A0000000000, 5)) == ten);
  HOLDS(inner(ipv6(0, 0xFFFF00000A000000)) == ten);
  HOLDS(inner(ipv6(0, 0x0A000000)) == ten);
  HOLDS(inner(doc) == doc);
}

TEST_CASE("special: random prefixes against their addresses") {
  bool fine = true;
  for (int seed = 0; seed < 3000; ++seed) {
    dice d(static_cast<std::uint64_t>(seed));
    const bool v4 = d.percent(50);
    const address a = v4 ? ipv4(static_cast<std::uint32_t>(d.next()))
                         : ipv6(d.percent(50) ? 0x2002ULL << 48 | d.below(1000) : d.next(), d.next());
    const prefix p = prefix_of(a, d.below(a.bits() + 1));
    fine = fine && p.covers(a) && p.first <= a && a <= p.last() && p.covers(p.last()) &&
           has(p, address_class_at(a).address_class);
    fine = fine && (p.length == 0 || !p.covers(next(p.last())) || next(p.last()) == p.first);
    if (p.length < a.bits())
      fine = fine && (p.half(false).covers(a) != p.half(true).covers(a)) &&
             next(p.half(false).last()) == p.half(true).first;
    const address b = v4 ? ipv4(static_cast<std::uint32_t>(d.next())) : ipv6(d.next(), d.next());
    const prefix both = common(a, b);
    fine = fine && both.covers(a) && both.covers(b) && (a == b || !both.half(a.bit(both.length)).covers(b));
  }
  CHECK(fine);
}

} // namespace host_address_test
