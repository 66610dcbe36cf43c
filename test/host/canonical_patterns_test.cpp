// SPDX-License-Identifier: BSL-1.0
#include "../holds.hpp"
#include "lists.hpp"

namespace host_canonical_patterns_test {

using namespace cordon;

namespace {

/// Compares the canonical words, in their order.
constexpr bool becomes(std::string_view words, std::string_view wanted) {
  const lists::small a(words);
  host::small_text<300> text;
  const diagnostic d =
      each_canonical_pattern<fixed_storage<48, 1200>>(a.view(), [&](bool is_denied, std::string_view w) {
        if (!text.empty()) text.add(' ');
        if (is_denied) text.add('!');
        text.add(w);
      });
  return a.fine && d.code == diagnostic_code::ok && text.view() == wanted;
}

std::string canonical(std::string_view words) { return lists::joined(lists::words_of(lists::large(words).view())); }

} // namespace

TEST_CASE("canonical patterns: a pattern that another one covers is dropped") {
  HOLDS(becomes("example.com api.example.com", "example.com"));
  HOLDS(becomes("example.com *.example.com =x.example.com", "example.com"));
  HOLDS(becomes("* example.com 8.8.8.8", "*"));
  HOLDS(becomes("any * a 10.0.0.0/8", "* 0.0.0.0/0 [::]/0"));
  HOLDS(becomes("none", ""));
  HOLDS(becomes("example.com:443 api.example.com", "example.com:443 api.example.com"));
  HOLDS(becomes("example.com api.example.com:443", "example.com"));
}

TEST_CASE("canonical patterns: a name and its subdomains join") {
  HOLDS(becomes("=a *.a", "a"));
  HOLDS(becomes("*.a", "*.a"));
  HOLDS(becomes("=a", "=a"));
  HOLDS(becomes("=a:443 *.a:443", "a:443"));
  HOLDS(becomes("=a *.a:443", "*.a:443 =a"));
  HOLDS(becomes("=a:443 *.a", "*.a =a:443"));
  HOLDS(becomes("a:443 *.a", "*.a =a:443"));
  HOLDS(becomes("=a:443 =a:80 *.a:443", "a:443 =a:80"));
  HOLDS(becomes("a:80 *.a:443", "a:80 *.a:443"));
  HOLDS(becomes("a *.x.a", "a"));
}

TEST_CASE("canonical patterns: adjacent port ranges join, and covered ports are dropped") {
  HOLDS(becomes("a:80 a:81 a:82-90", "a:80-90"));
  HOLDS(becomes("a:1-100 a:101-65535", "a"));
  HOLDS(becomes("a:443 b.a:80", "a:443 b.a:80"));
  HOLDS(becomes("a:443 b.a:444", "a:443 b.a:444"));
  HOLDS(becomes("a:443 b.a:440-450", "a:443 b.a:440-450"));
  HOLDS(becomes("a:1-1024 b.a", "a:1-1024 b.a"));
  HOLDS(becomes("*:443 a:443", "*:443"));
}

TEST_CASE("canonical patterns: adjacent prefixes with equal ports join") {
  CHECK(canonical("10.0.0.0/9 10.128.0.0/9") == "10.0.0.0/8");
  CHECK(canonical("10.0.0.0/9:443 10.128.0.0/9") == "10.0.0.0/8:443 10.128.0.0/9");
  CHECK(canonical("192.0.2.7 192.0.2.6 192.0.2.5 192.0.2.4") == "192.0.2.4/30");
  CHECK(canonical("0.0.0.0/0") == "0.0.0.0/0");
  CHECK(canonical("10.0.0.0/7") == "10.0.0.0/7");
  CHECK(canonical("10.0.0.0/8 11.0.0.0/8") == "10.0.0.0/7");
  CHECK(canonical("[2001:db8::]/32:443 [2001:db8::1]:80") == "[2001:db8::1]:80 [2001:db8::]/32:443");
  CHECK(canonical("[::fffe:0:0]/95") == "[::fffe:0:0]/96");
  CHECK(canonical("[::]/80") == "[::]/80");
  CHECK(canonical("[::ffff:0:0]/96") == "0.0.0.0/0");
}

TEST_CASE("canonical patterns: addresses beside a star") {
  CHECK(canonical("* 10.0.0.0/8") == "* 10.0.0.0/8");
  CHECK(canonical("* 8.0.0.0/5") == "* 10.0.0.0/8");
  CHECK(canonical("* 100.64.0.0/10 127.0.0.0/8") == "* 100.64.0.0/10 127.0.0.0/8");
  CHECK(canonical("* 0.0.0.0/0") == "* 0.0.0.0/0");
  CHECK(canonical("*:443 8.0.0.0/8") == "*:443 8.0.0.0/8");
  CHECK(canonical("*:443 0.0.0.0/0:80") == "*:443 0.0.0.0/0:80");
  CHECK(canonical("*:85-100 10.0.0.0/7") == "*:85-100 10.0.0.0/7");
  CHECK(canonical("* 0.0.0.0/0 [::]/0") == "any");
}

TEST_CASE("canonical patterns: public addresses of a prefix may need several patterns") {
  const lists::large star("*"), ten("10.0.0.0/7"), all("0.0.0.0/0");
  CHECK(lists::joined(lists::words_of(lists::meet(star.view(), ten.view()).view())) == "11.0.0.0/8");
  const std::vector<std::string> words = lists::words_of(lists::meet(star.view(), all.view()).view());
  CHECK(words.size() > 50);
  const lists::large again(lists::joined(words));
  CHECK(again.view() <= star.view());
  CHECK(!again.view().is_none());
  CHECK(lists::words_of(again.view()) == words);
}

TEST_CASE("canonical patterns: denials without effect and fully denied patterns are dropped") {
  CHECK(canonical("* !evil.com") == "!evil.com *");
  CHECK(canonical("a b !b") == "a");
  CHECK(canonical("a !c") == "a");
  CHECK(canonical("a:443 !a:80") == "a:443");
  CHECK(canonical("a:443 !a") == "none");
  CHECK(canonical("a !*.a") == "!*.a a");
  CHECK(canonical("=a !*.a") == "=a");
  CHECK(canonical("*.a !=a") == "*.a");
  CHECK(canonical("a !x.b.a !b.a") == "!b.a a");
  CHECK(canonical("10.0.0.0/8 !10.0.0.5") == "!10.0.0.5 10.0.0.0/8");
  CHECK(canonical("10.0.0.0/8 !10.0.0.0/9 !10.128.0.0/9") == "none");
  CHECK(canonical("10.0.0.0/8 !11.0.0.0/8") == "10.0.0.0/8");
  CHECK(canonical("* !10.0.0.0/8") == "*");
  CHECK(canonical("* !*") == "none");
  CHECK(canonical("any !evil.com") == "!evil.com * 0.0.0.0/0 [::]/0");
}

TEST_CASE("canonical patterns: a storage that is too small is an error") {
  const lists::large a("a b c");
  int words = 0;
  CHECK(each_canonical_pattern<fixed_storage<2, 100>>(a.view(), [&](bool, std::string_view) { ++words; }).code ==
        diagnostic_code::policy_too_large);
  CHECK(words == 0);
}

} // namespace host_canonical_patterns_test
