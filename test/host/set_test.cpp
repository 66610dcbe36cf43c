// SPDX-License-Identifier: BSL-1.0
#include "../dice.hpp"
#include "../holds.hpp"
#include "lists.hpp"

#include <cordon/policy/policy.hpp>

namespace host_set_test {

using namespace cordon;
using namespace cordon::host;

namespace {

/// "first-last,..." of the ports at a place; named ones after a slash if they differ.
constexpr bool has(const lists::small& a, std::string_view place, std::string_view allowed,
                   std::string_view named = "=") {
  const step_function<host_tree> f = a.view().allowed;
  const port_grant r = port_grant_of(f.at(f.find(place)));
  const auto shown = [](ports p) {
    small_text<80> text;
    for (std::size_t i = 0; i < p.size(); ++i) {
      if (i != 0) text.add(',');
      text.add_number(p[i].first, 10);
      if (p[i].last != p[i].first) text.add('-'), text.add_number(p[i].last, 10);
    }
    return text;
  };
  return a.fine && shown(r.allowed).view() == allowed && shown(r.named).view() == (named == "=" ? allowed : named);
}

constexpr std::uint32_t entries(std::string_view words) {
  const lists::small a(words);
  return a.fine ? a.view().allowed.size() : 99;
}

constexpr std::string_view all = "1-65535";

} // namespace

TEST_CASE("set: a place has the ports of all patterns that cover it") {
  HOLDS(has(lists::small("example.com:443 api.example.com:80"), "=example.com", "443"));
  HOLDS(has(lists::small("example.com:443 api.example.com:80"), "=api.example.com", "80,443"));
  HOLDS(has(lists::small("api.example.com:80 example.com:443"), "=x.api.example.com", "80,443"));
  HOLDS(has(lists::small("a:1 a:2 a:4"), "=a", "1-2,4"));
  HOLDS(has(lists::small("a"), "=b", ""));
  HOLDS(has(lists::small("any"), "=b", all));
  HOLDS(has(lists::small("none"), "=b", ""));
}

TEST_CASE("set: a pattern for subdomains does not cover the name itself") {
  HOLDS(has(lists::small("*.a"), "=a", ""));
  HOLDS(has(lists::small("*.a"), "=x.a", all));
  HOLDS(has(lists::small("*.a:443 =a:80"), "=a", "80"));
  HOLDS(has(lists::small("*.a:443 =a:80"), "=x.a", "443"));
  HOLDS(has(lists::small("*.a:443 a:80"), "=a", "80"));
  HOLDS(has(lists::small("*.a:443 a:80"), "=x.a", "80,443"));
  HOLDS(has(lists::small("b:1 *.a.b:443"), "=a.b", "1"));
  HOLDS(has(lists::small("b:1 *.a.b:443"), "=x.a.b", "1,443"));
  HOLDS(has(lists::small("=a"), "=x.a", ""));
}

TEST_CASE("set: a star allows all names and public addresses, but names no host") {
  HOLDS(has(lists::small("*"), "=a", all, ""));
  HOLDS(has(lists::small("*:443 a:80"), "=a", "80,443", "80"));
  HOLDS(has(lists::small("* a"), "=a", all, all));
  HOLDS(has(lists::small("*"), place_of(ipv4(0x08080808)).view(), all, ""));
  HOLDS(has(lists::small("*"), place_of(ipv4(0x0A000000)).view(), ""));
  HOLDS(has(lists::small("*:1 8.8.8.0/24:2"), place_of(ipv4(0x08080808)).view(), "1-2", "2"));
  HOLDS(has(lists::small("0.0.0.0/0"), place_of(ipv4(0x0A000000)).view(), all));
  HOLDS(has(lists::small("0.0.0.0/0"), place_of(ipv6(0, 1)).view(), ""));
  HOLDS(has(lists::small("[::ffff:10.0.0.0]/104"), place_of(ipv4(0x0A000000)).view(), all));
}

TEST_CASE("set: a redundant pattern takes no entry") {
  HOLDS(entries("none") == 0);
  HOLDS(entries("any * a 10.0.0.0/8") == 1);
  HOLDS(entries("a x.a =a *.a a:443") == 1);
  HOLDS(entries("*") == 1);
  HOLDS(entries("10.0.0.0/8 10.1.0.0/16") == 1);
  HOLDS(entries("10.0.0.0/7") == 2);
  HOLDS(entries("*.a") == 2);
}

TEST_CASE("set: a full storage or a full set of ports is an error") {
  host_set<fixed_storage<2, 100>> few;
  for (const char* p : {"a", "b"}) few.add(parse(p));
  CHECK(few.close().code == diagnostic_code::ok);
  host_set<fixed_storage<2, 100>> many;
  for (const char* p : {"a", "b", "c"}) many.add(parse(p));
  CHECK(many.close().code == diagnostic_code::policy_too_large);
  host_set<heap> ranges;
  for (unsigned i = 0; i < port_set::most; ++i) ranges.add(parse("a:" + std::to_string(1 + 2 * i)));
  CHECK(ranges.close().code == diagnostic_code::ok);
  host_set<heap> too_many;
  for (unsigned i = 0; i <= port_set::most; ++i) too_many.add(parse("a:" + std::to_string(1 + 2 * i)));
  CHECK(too_many.close().code == diagnostic_code::policy_too_large);
}

TEST_CASE("set: a meet of too many denials is an error") {
  const auto denied = [](unsigned first) {
    std::string words = "any";
    for (unsigned i = 0; i < port_set::most; ++i) words += " !a:" + std::to_string(first + 4 * i);
    return words;
  };
  const lists::large x(denied(1)), y(denied(3));
  CHECK((x.fine && y.fine));
  CHECK(lists::meet(x.view(), x.view()).fine());
  CHECK(lists::meet(x.view(), y.view()).denied.error.code == diagnostic_code::policy_too_large);
}

TEST_CASE("set: the order of the patterns does not matter") {
  const char* const words[]{"a",          "*.a:443",        "=a:80",       "x.a:1-100", "b.a",    "*", "*:80",
                            "10.0.0.0/8", "10.0.0.0/9:443", "0.0.0.0/0:1", "[::1]",     "=b.a:7", "c", "y.x.a"};
  bool fine = true;
  for (int seed = 0; seed < 500; ++seed) {
    dice d(static_cast<std::uint64_t>(seed));
    std::vector<std::string> chosen;
    for (std::uint32_t n = 1 + d.below(9); n != 0; --n) chosen.emplace_back(d.one_of(words));
    const lists::large a(lists::joined(chosen));
    for (std::size_t i = chosen.size(); i > 1; --i) std::swap(chosen[i - 1], chosen[d.below(i)]);
    const lists::large b(lists::joined(chosen));
    fine = fine && a.fine && b.fine && a.view().allowed == b.view().allowed;
  }
  CHECK(fine);
}

TEST_CASE("set: a step_function_builder accepts the entries unchanged") {
  const lists::large a("*.a:443 b 10.0.0.0/8 * =c");
  const lists::written<host_tree> copy([&](auto& out) {
    for (std::uint32_t i = 0; i < a.view().allowed.size(); ++i) out.add(a.view().allowed[i]);
  });
  CHECK(copy.error.code == diagnostic_code::ok);
  CHECK(copy.view() == a.view().allowed);
  for (std::uint32_t i = 0; i < copy.view().size(); ++i) CHECK(copy.view().parent(i) == a.view().allowed.parent(i));
}

} // namespace host_set_test
