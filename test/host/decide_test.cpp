// SPDX-License-Identifier: BSL-1.0
#include "../holds.hpp"
#include "lists.hpp"

namespace host_decide_test {

using namespace cordon;
using host::cause;
using host::ruling;

namespace {

constexpr bool decides(std::string_view words, std::string_view question, ruling r, cause c, std::string_view clause) {
  const lists::small a(words);
  const host::decision v = host::decide(a.view(), host::parse_requested_host(question));
  return a.fine && v.ruling == r && v.cause == c && v.clause.view() == clause;
}
constexpr bool allows(std::string_view words, std::string_view question, std::string_view clause) {
  return decides(words, question, ruling::allow, cause::pattern, clause);
}
constexpr bool refuses(std::string_view words, std::string_view question, std::string_view clause) {
  return decides(words, question, ruling::refuse, clause.empty() ? cause::unlisted : cause::pattern, clause);
}

constexpr host::decision dial(std::string_view words, std::string_view name, std::string_view address) {
  const lists::small a(words);
  const host::address own[]{host::ipv4(0xCB007109), host::parse_ipv6("2001:db8::9").value};
  return host::may_dial(a.view(), host::parse_requested_host(name), host::parse_address(address).value, own);
}
constexpr bool dials(std::string_view words, std::string_view name, std::string_view address) {
  return dial(words, name, address).allowed();
}
constexpr bool refuses_to_dial(std::string_view words, std::string_view name, std::string_view address, cause c) {
  const host::decision v = dial(words, name, address);
  return v.ruling == ruling::refuse && v.cause == c;
}

} // namespace

TEST_CASE("decide: the clause is the widest pattern that decides") {
  HOLDS(allows("example.com", "api.example.com", "example.com"));
  HOLDS(allows("example.com api.example.com", "api.example.com", "example.com"));
  HOLDS(allows("example.com:443 api.example.com:80", "api.example.com:80", "api.example.com:80"));
  HOLDS(allows("example.com:443 api.example.com:80", "api.example.com", "example.com:443"));
  HOLDS(allows("example.com:80 example.com:443-450", "example.com", "example.com:443-450"));
  HOLDS(allows("*.example.com", "a.b.example.com", "*.example.com"));
  HOLDS(allows("=example.com", "example.com", "=example.com"));
  HOLDS(allows("=example.com *.example.com", "example.com", "example.com"));
  HOLDS(allows("=example.com *.example.com:443", "a.example.com", "*.example.com:443"));
  HOLDS(allows("=example.com *.example.com:443", "example.com:80", "=example.com"));
  HOLDS(allows("*.example.com =example.com:80", "a.example.com", "*.example.com"));
  HOLDS(allows("b.a:1 *.c.b.a =c.b.a:80", "c.b.a:80", "=c.b.a:80"));
  HOLDS(allows("*", "example.com", "*"));
  HOLDS(allows("*:443 example.com", "example.com", "*:443"));
  HOLDS(allows("*:443 example.com", "example.com:80", "example.com"));
  HOLDS(allows("*", "8.8.8.8", "*"));
  HOLDS(allows("10.0.0.0/8:443 10.0.0.1", "10.0.0.1", "10.0.0.0/8:443"));
  HOLDS(allows("10.0.0.0/8:443 10.0.0.1", "10.0.0.1:80", "10.0.0.1"));
  HOLDS(allows("[2001:db8::]/32", "[2001:db8::1]:1", "[2001:db8::]/32"));
  HOLDS(allows("any", "example.com", ""));
  HOLDS(refuses("example.com", "example.org", ""));
  HOLDS(refuses("example.com:443", "example.com:80", ""));
}

TEST_CASE("decide: a denied pattern decides first") {
  HOLDS(refuses("* !evil.com", "a.evil.com", "!evil.com"));
  HOLDS(refuses("a.evil.com !evil.com", "a.evil.com", "!evil.com"));
  HOLDS(refuses("example.com !example.com:22", "example.com:22", "!example.com:22"));
  HOLDS(allows("example.com !example.com:22", "example.com", "example.com"));
  HOLDS(refuses("example.com !evil.org", "evil.org", "!evil.org"));
  HOLDS(refuses("any !*", "8.8.8.8", "!*"));
  HOLDS(refuses("10.0.0.0/8 !10.0.0.5", "10.0.0.5", "!10.0.0.5"));
  HOLDS(refuses("example.com !*.example.com", "a.example.com", "!*.example.com"));
  HOLDS(refuses("none !a", "a", "!a"));
}

TEST_CASE("decide: invalid hosts are malformed, and other schemes are refused") {
  HOLDS(decides("any", "a..b", ruling::malformed, cause::unreadable, ""));
  HOLDS(decides("none", "a..b", ruling::malformed, cause::unreadable, ""));
  HOLDS(decides("any", "ftp://a/", ruling::refuse, cause::scheme, ""));
}

TEST_CASE("dial: special addresses need a pattern that is an address") {
  HOLDS(dials("a", "a", "8.8.8.8"));
  HOLDS(refuses_to_dial("b", "a", "8.8.8.8", cause::unlisted));
  HOLDS(refuses_to_dial("a", "a", "10.0.0.1", cause::special));
  HOLDS(dials("a 10.0.0.0/8", "a", "10.0.0.1"));
  HOLDS(refuses_to_dial("a 10.0.0.0/8:80", "a", "10.0.0.1", cause::special));
  HOLDS(refuses_to_dial("a !8.8.8.8", "a", "8.8.8.8", cause::pattern));
  HOLDS(dial("a !8.8.0.0/16", "a", "8.8.8.8").clause.view() == "!8.8.0.0/16");
  HOLDS(dials("any", "a", "10.0.0.1"));
  HOLDS(refuses_to_dial("* a", "a", "10.0.0.1", cause::special));
}

TEST_CASE("dial: an embedded IPv4 address is checked as well") {
  HOLDS(dials("a", "a", "64:ff9b::808:808"));
  HOLDS(refuses_to_dial("a", "a", "64:ff9b::a00:1", cause::special));
  HOLDS(dials("a 10.0.0.0/8", "a", "64:ff9b::a00:1"));
  HOLDS(dials("a [64:ff9b::]/96", "a", "64:ff9b::a00:1"));
  HOLDS(refuses_to_dial("a !8.8.8.8", "a", "64:ff9b::808:808", cause::pattern));
  HOLDS(refuses_to_dial("a !8.8.8.8", "a", "2002:808:808::", cause::pattern));
  HOLDS(refuses_to_dial("a ![2002::]/16", "a", "2002:808:808::", cause::pattern));
  HOLDS(refuses_to_dial("a", "a", "::ffff:127.0.0.1", cause::special));
  HOLDS(refuses_to_dial("a", "a", "64:ff9b::cb00:7109", cause::own));
}

TEST_CASE("dial: the host's own addresses need an address pattern") {
  HOLDS(refuses_to_dial("a", "a", "203.0.113.9", cause::own));
  HOLDS(refuses_to_dial("a", "a", "2001:db8::9", cause::own));
  HOLDS(dials("a", "a", "203.0.113.10"));
  HOLDS(dials("a 203.0.113.0/24", "a", "203.0.113.9"));
  HOLDS(refuses_to_dial("*", "203.0.113.9", "203.0.113.9", cause::own));
  HOLDS(dials("* 203.0.113.9", "a", "203.0.113.9"));
}

TEST_CASE("dial: localhost must be a loopback address, and a star does not cover it") {
  HOLDS(dials("localhost", "localhost", "127.0.0.1"));
  HOLDS(dials("localhost", "x.localhost", "::1"));
  HOLDS(dials("localhost", "localhost", "::ffff:127.0.0.1"));
  HOLDS(refuses_to_dial("localhost", "localhost", "8.8.8.8", cause::localhost));
  HOLDS(refuses_to_dial("localhost 10.0.0.1", "localhost", "10.0.0.1", cause::localhost));
  HOLDS(refuses_to_dial("localhost", "localhost", "64:ff9b::7f00:1", cause::localhost));
  HOLDS(refuses_to_dial("*", "localhost", "127.0.0.1", cause::special));
  HOLDS(dials("* localhost", "localhost", "127.0.0.1"));
  HOLDS(dials("* localhost:443", "localhost", "127.0.0.1"));
  HOLDS(refuses_to_dial("* localhost:443", "localhost:80", "127.0.0.1", cause::special));
  HOLDS(dials("* 127.0.0.1", "localhost", "127.0.0.1"));
  HOLDS(refuses_to_dial("localhost !127.0.0.1", "localhost", "127.0.0.1", cause::pattern));
  HOLDS(refuses_to_dial("notlocalhost", "notlocalhost", "127.0.0.1", cause::special));
}

TEST_CASE("decide: each place has its readable text") {
  HOLDS(host::text_of_place(host::everything).view() == "any");
  HOLDS(host::text_of_place("=a.b").view() == "=a.b");
  HOLDS(host::text_of_place(host::place_of(host::ipv4(0x0A000001)).view()).view() == "10.0.0.1");
  HOLDS(host::text_of_place(host::place_of(host::whole(host::family::v6), host::address_class::global).view()).view() ==
        "[::]/0");
}

} // namespace host_decide_test
