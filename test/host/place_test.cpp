// SPDX-License-Identifier: BSL-1.0
#include "../dice.hpp"
#include "../holds.hpp"

#include <cordon/host/sort.hpp>

#include <algorithm>
#include <string>
#include <vector>

namespace host_place_test {

using namespace cordon;
using namespace cordon::host;

namespace {

constexpr place_text block(std::uint32_t first, unsigned length, address_class of = address_class::global) {
  return place_of(prefix{ipv4(first), length}, of);
}

/// Places of all kinds, some of them twice.
std::vector<std::string> some_places(dice& d, std::uint32_t n) {
  std::vector<std::string> all;
  const char* const labels[]{"a", "b", "-", "a-", "a0", "_"};
  for (; n != 0; --n) {
    std::string place;
    if (d.percent(5)) place = d.percent(50) ? "*" : "**";
    else if (d.percent(60)) {
      for (std::uint32_t k = 1 + d.below(4); k != 0; --k)
        place += (place.empty() ? "" : ".") + std::string(d.one_of(labels));
      if (d.percent(25)) place.insert(0, "=");
    } else {
      const address_class r = d.percent(50) ? address_class::global : address_class::special_purpose;
      if (d.percent(70)) {
        const std::uint32_t number =
            d.percent(50) ? 0x0A000000U + d.below(16) : static_cast<std::uint32_t>(d.below(4)) << 30;
        place = place_of(prefix_of(ipv4(number), d.percent(50) ? 28 + d.below(5) : d.below(33)), r).view();
      } else place = place_of(prefix_of(ipv6(d.below(3), d.next()), d.below(129)), r).view();
    }
    all.push_back(place);
  }
  return all;
}

/// Is the place in the root's subtree? Follows the figure at the head of place.hpp.
bool is_in(const std::string& root, const std::string& place) {
  if (root == place || root == everything) return true;
  if (place == everything) return false;
  if (root == every_name) return !is_block(place) || place[0] < 3;
  if (place == every_name || is_block(root) != is_block(place)) return false;
  if (is_block(root)) return root[0] == place[0] && block_of(root).covers(block_of(place));
  if (root[0] == '=') return false;
  const std::string dotted = "." + place.substr(place[0] == '=' ? 1 : 0);
  return dotted.ends_with("." + root);
}

} // namespace

TEST_CASE("place: a prefix reads back as it was written") {
  HOLDS(block_of(block(0x0A000000, 8).view()) == prefix{ipv4(0x0A000000), 8});
  HOLDS(block_of(place_of(only(ipv6(~std::uint64_t{0}, 7)), address_class::special_purpose).view()) ==
        only(ipv6(~std::uint64_t{0}, 7)));
  HOLDS(is_block(block(0, 0).view()));
  HOLDS(is_special_block(block(0, 0, address_class::special_purpose).view()));
  HOLDS(!is_special_block(block(0, 0).view()));
  HOLDS(!is_block("a"));
  HOLDS(is_name_place("=a"));
  HOLDS(!is_name_place("*"));
  HOLDS(!is_name_place(block(0, 0).view()));
  HOLDS(name_of("=a.b") == "a.b");
  HOLDS(name_of("a.b") == "a.b");
  HOLDS(place_of(ipv4(0x7F000001)).view() == block(0x7F000001, 32, address_class::special_purpose).view());
}

TEST_CASE("place: a name covers itself and its subdomains") {
  HOLDS(covers("a.b", "a.b"));
  HOLDS(covers("a.b", "=a.b"));
  HOLDS(covers("a.b", "x.a.b"));
  HOLDS(covers("a.b", "=x.a.b"));
  HOLDS(!covers("a.b", "xa.b"));
  HOLDS(!covers("a.b", "b"));
  HOLDS(covers("=a.b", "=a.b"));
  HOLDS(!covers("=a.b", "a.b"));
  HOLDS(!covers("=a.b", "=x.a.b"));
}

TEST_CASE("place: stars and prefixes cover their classes") {
  HOLDS(covers(everything, everything));
  HOLDS(covers(everything, every_name));
  HOLDS(!covers(every_name, everything));
  HOLDS(covers(every_name, "a"));
  HOLDS(covers(every_name, block(0, 0).view()));
  HOLDS(!covers(every_name, block(0, 0, address_class::special_purpose).view()));
  HOLDS(covers(block(0x0A000000, 8).view(), block(0x0A010000, 16).view()));
  HOLDS(!covers(block(0x0A010000, 16).view(), block(0x0A000000, 8).view()));
  HOLDS(!covers(block(0x0A000000, 8).view(), block(0x0B000000, 8).view()));
  HOLDS(covers(block(0x0A000000, 15).view(), block(0x0A010000, 16).view()));
  HOLDS(!covers(block(0x0A000000, 8).view(), block(0x0A010000, 16, address_class::special_purpose).view()));
  HOLDS(!covers(block(0, 0).view(), place_of(whole(family::v6), address_class::global).view()));
  HOLDS(!covers("a", block(0, 0).view()));
  HOLDS(!covers(block(0, 0).view(), "a"));
}

TEST_CASE("place: in the order, each subtree is contiguous") {
  HOLDS(order(everything, every_name) < 0);
  HOLDS(order(every_name, "a") < 0);
  HOLDS(order("b", "=b") < 0);
  HOLDS(order("=b", "a.b") < 0);
  HOLDS(order("z.b", "-b") < 0);
  HOLDS(order("zzz", block(0, 0).view()) < 0);
  HOLDS(order(block(0x0A000000, 8).view(), block(0x0A000000, 9).view()) < 0);
  HOLDS(order(block(0x0AFFFFFF, 32).view(), block(0x0B000000, 8).view()) < 0);
  HOLDS(order("a.b", "a.b") == 0);
  dice d(1);
  std::vector<std::string> all = some_places(d, 700);
  std::sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return order(a, b) < 0; });
  all.erase(std::unique(all.begin(), all.end()), all.end());
  bool fine = true;
  int nested = 0;
  for (std::size_t i = 0; i < all.size(); ++i) {
    bool inside = true;
    for (std::size_t j = 0; j < all.size(); ++j) {
      const bool above = is_in(all[i], all[j]);
      nested += above && i != j;
      fine = fine && covers(all[i], all[j]) == above && (order(all[i], all[j]) < 0) == (i < j);
      fine = fine && !(j < i && above) && !(j >= i && above && !inside);
      if (j >= i) inside = above;
    }
  }
  CHECK(fine);
  CHECK(nested > 1000);
}

TEST_CASE("sort: any places get the order of the tree") {
  bool fine = true;
  for (int seed = 0; seed < 300; ++seed) {
    dice d(static_cast<std::uint64_t>(seed));
    std::vector<std::string> all = some_places(d, d.below(d.percent(20) ? 400 : 30));
    std::string text;
    std::vector<slot> slots;
    for (const std::string& p : all) {
      slots.push_back({static_cast<std::uint32_t>(text.size()), static_cast<std::uint32_t>(p.size()), no_slot, 0});
      text += p;
    }
    sort_places(slots.data(), static_cast<std::uint32_t>(slots.size()), text.data());
    std::sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return order(a, b) < 0; });
    for (std::size_t i = 0; i < all.size(); ++i) fine = fine && text.substr(slots[i].first, slots[i].length) == all[i];
  }
  CHECK(fine);
}

TEST_CASE("sort: long names and repeated names are sorted") {
  std::string text;
  std::vector<slot> slots;
  for (std::uint32_t i = 0; i < 2000; ++i) {
    const std::string name = std::to_string(i * 7919 % 500) + std::string(240, 'x');
    slots.push_back({static_cast<std::uint32_t>(text.size()), static_cast<std::uint32_t>(name.size()), no_slot, 0});
    text += name;
  }
  sort_places(slots.data(), 2000, text.data());
  bool fine = true;
  const auto place = [&](std::size_t i) { return std::string_view(text).substr(slots[i].first, slots[i].length); };
  for (std::size_t i = 1; i < slots.size(); ++i) fine = fine && order(place(i - 1), place(i)) <= 0;
  CHECK(fine);
}

} // namespace host_place_test
