// SPDX-License-Identifier: BSL-1.0
#include "../dice.hpp"
#include "../holds.hpp"

#include <cordon/host/parse.hpp>

#include <string>

namespace host_parse_test {

using namespace cordon::host;

namespace {

constexpr bool is(std::string_view text, std::string_view canonical) {
  const pattern p = parse(text);
  return p && text_of(p).view() == canonical && text_of(parse(canonical)).view() == canonical;
}
constexpr flaw flaw_of(std::string_view text) { return parse(text).why; }

/// A substitute for a library: knows three labels.
constexpr auto some_idna = [](std::string_view label, name_text& to) {
  if (label == "\xc3\xbc") to.add("xn--tda");
  else if (label == "\xef\xbc\x91") to.add("1");
  else if (label == "\xe3\x80\x82") to.add("a.b");
  else if (label == "\xc2\xad") to.add("");
  else if (label == "\xef\xbc\x8a") to.add("*");
  else return false;
  return true;
};
constexpr bool is_with_idna(std::string_view text, std::string_view canonical) {
  const pattern p = parse(text, some_idna);
  return p && text_of(p).view() == canonical;
}

} // namespace

TEST_CASE("parse: every flaw has a name and a sentence of its own") {
  for (int i = 0; i <= static_cast<int>(flaw::too_long); ++i)
    for (int j = 0; j < i; ++j) {
      CHECK(name(static_cast<flaw>(i)) != name(static_cast<flaw>(j)));
      CHECK(explain(static_cast<flaw>(i)) != explain(static_cast<flaw>(j)));
    }
  HOLDS(name(flaw::too_long) == "too_long");
}

TEST_CASE("parse: names, stars and ports") {
  HOLDS(is("Example.COM.", "example.com"));
  HOLDS(is("*.example.com.:443", "*.example.com:443"));
  HOLDS(is("=example.com:1-65535", "=example.com"));
  HOLDS(is("*:8000-8999", "*:8000-8999"));
  HOLDS(is("a_b-c.x--y", "a_b-c.x--y"));
  HOLDS(parse("*").shape == shape::every);
  HOLDS(parse("a").shape == shape::tree);
  HOLDS(parse("*.a").shape == shape::below);
  HOLDS(parse("=a").shape == shape::exact);
  HOLDS(parse("10.0.0.0/8").shape == shape::block);
}

TEST_CASE("parse: addresses and prefixes") {
  HOLDS(is("10.0.0.0/8:80", "10.0.0.0/8:80"));
  HOLDS(is("=10.0.0.1/32", "10.0.0.1"));
  HOLDS(is("10.0.0.1.", "10.0.0.1"));
  HOLDS(is("[2001:DB8::]/32:80-90", "[2001:db8::]/32:80-90"));
  HOLDS(is("=[::1]", "[::1]"));
  HOLDS(is("[::ffff:10.0.0.0]/104", "10.0.0.0/8"));
  HOLDS(is("[::ffff:0:0]/96", "0.0.0.0/0"));
  HOLDS(flaw_of("[::ffff:0:0]/95") == flaw::bad_cidr);
  HOLDS(flaw_of("[::ffff:10.0.0.0]/8") == flaw::bad_cidr);
  HOLDS(flaw_of("[::ffff:10.0.0.0]/129") == flaw::bad_cidr);
  HOLDS(flaw_of("=10.0.0.0/8") == flaw::bad_cidr);
  HOLDS(flaw_of("10.0.0.0/08") == flaw::bad_cidr);
  HOLDS(flaw_of("10.0.0.1/31") == flaw::bad_cidr); // bits of the host are set
  HOLDS(flaw_of("10.128.0.0/8") == flaw::bad_cidr);
  HOLDS(flaw_of("[2001:db8::1]/127") == flaw::bad_cidr);
  HOLDS(flaw_of("10.0.0.0/8/9") == flaw::bad_cidr);
  HOLDS(flaw_of("10.0.0.0/path") == flaw::bad_cidr);
  HOLDS(flaw_of("[::1]/path") == flaw::bad_cidr);
  HOLDS(flaw_of("*.[::1]") == flaw::bad_address);
  HOLDS(flaw_of("[::1") == flaw::bad_address);
  HOLDS(flaw_of("[::1]x") == flaw::bad_address);
  HOLDS(flaw_of("[]") == flaw::bad_address);
  HOLDS(flaw_of("foo.0x7f") == flaw::bad_address);
  HOLDS(flaw_of("foo.0x") == flaw::bad_address);
  HOLDS(flaw_of("1.2.3.4.5") == flaw::bad_address);
  HOLDS(flaw_of("01.2.3.4") == flaw::bad_address);
}

TEST_CASE("parse: of several flaws the first is reported") {
  HOLDS(flaw_of("\t\n \v\f\r") == flaw::empty);
  HOLDS(flaw_of("u@http://a") == flaw::scheme_in_pattern);
  HOLDS(flaw_of("u@a/b:c") == flaw::userinfo);
  HOLDS(flaw_of("=::1/x:0") == flaw::ambiguous_ipv6);
  HOLDS(flaw_of("1::2:*") == flaw::bad_address);
  HOLDS(flaw_of("*a.1/x") == flaw::bad_address);
  HOLDS(flaw_of("a*.b/x:0") == flaw::path_in_pattern);
  HOLDS(flaw_of("a.b:0/x") == flaw::path_in_pattern);
  HOLDS(flaw_of("10.0.0.0:1/8") == flaw::path_in_pattern);
  HOLDS(flaw_of("10.0.0.0?/8") == flaw::path_in_pattern);
  HOLDS(flaw_of("[::1]#") == flaw::path_in_pattern);
  HOLDS(flaw_of("*/x") == flaw::path_in_pattern);
  HOLDS(flaw_of("a*.b:0") == flaw::bad_port);
  HOLDS(flaw_of("*.*.b") == flaw::inner_wildcard);
  HOLDS(flaw_of("**") == flaw::inner_wildcard);
  HOLDS(flaw_of("=*") == flaw::inner_wildcard);
  HOLDS(flaw_of("a*.xn--a") == flaw::inner_wildcard);
  HOLDS(flaw_of("-.xn--a") == flaw::bad_idna);
  HOLDS(flaw_of("-.\xff") == flaw::bad_idna);
  HOLDS(flaw_of("=") == flaw::bad_label);
  HOLDS(flaw_of(".") == flaw::bad_label);
  HOLDS(flaw_of("a..") == flaw::bad_label);
  HOLDS(flaw_of("a-.b") == flaw::bad_label);
  HOLDS(flaw_of(":443") == flaw::bad_label);
}

TEST_CASE("parse: ports") {
  for (const char* port : {"", "0", "00", "65536", "99999999999", "080", "80-", "-80", "80-79", "0-80", "80-65536",
                           "80-90-100", "80,90", " 80", "80 ", "+80", "0x50", "http", "*"})
    CHECK(flaw_of("a.b:" + std::string(port)) == flaw::bad_port);
  HOLDS(parse("a:65535").ports == port_range{65535, 65535});
  HOLDS(parse("a:1-2").ports == port_range{1, 2});
  HOLDS(flaw_of("o.k:80:90") == flaw::bad_port);
}

TEST_CASE("parse: a name has at most 253 bytes, a label 63") {
  const std::string label(63, 'a'), longest = label + "." + label + "." + label + "." + std::string(61, 'a');
  CHECK(parse(longest));
  CHECK(text_of(parse("*." + longest + ".:1000-20000")).view() == "*." + longest + ":1000-20000");
  CHECK(flaw_of(longest + "a") == flaw::too_long);
  CHECK(flaw_of(longest + "a.0") == flaw::bad_address);
  CHECK(flaw_of(label + "a.b") == flaw::bad_label);
  CHECK(flaw_of(std::string(100'000, 'a')) == flaw::bad_label);
  std::string many;
  for (int i = 0; i < 10'000; ++i) many += "a.";
  CHECK(flaw_of(many) == flaw::too_long);
}

TEST_CASE("parse: the IDNA library decides for names that are not ASCII") {
  HOLDS(is_with_idna("\xc3\xbc.de", "xn--tda.de"));
  HOLDS(is_with_idna("*.\xe3\x80\x82.de:1", "*.a.b.de:1"));
  HOLDS(is_with_idna("\xef\xbc\x91.2.3.4", "1.2.3.4"));
  HOLDS(is_with_idna("1.2.3.\xef\xbc\x91", "1.2.3.1"));
  HOLDS(parse("\xef\xbc\x91.2", some_idna).why == flaw::bad_address);
  HOLDS(parse("\xc2\xad.de", some_idna).why == flaw::bad_idna);
  HOLDS(parse("\xef\xbc\x8a.de", some_idna).why == flaw::bad_idna);
  HOLDS(parse("xn--zz.de", some_idna).why == flaw::bad_idna);
  HOLDS(parse("XN--zz.de", some_idna).why == flaw::bad_idna);
  HOLDS(parse("xm--zz.de", some_idna).why == flaw::none);
}

TEST_CASE("parse: random texts are refused or canonical") {
  const char* const pieces[]{"a",     "b.", ".", "-",  "*", "*.",   "=",    ":", ":80", "443", "-", "/", "8", "10.",
                             "0.0.0", "[",  "]", "::", "1", "xn--", "\xff", " ", "0x",  "?",   "@", "_", "A"};
  int valid = 0;
  bool fine = true;
  for (int seed = 0; seed < 60'000; ++seed) {
    dice d(static_cast<std::uint64_t>(seed));
    std::string text;
    for (std::uint32_t n = 1 + d.below(6); n != 0; --n) text += d.one_of(pieces);
    const pattern p = parse(text);
    if (!p) continue;
    ++valid;
    const std::string canonical(text_of(p).view());
    const pattern again = parse(canonical);
    fine = fine && again && text_of(again).view() == canonical &&
           (p.shape == shape::every || p.shape == shape::block || is_name(p.name.view()));
    CAPTURE(text);
    CHECK(fine);
  }
  CHECK(valid > 1000);
}

} // namespace host_parse_test
