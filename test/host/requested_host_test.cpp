// SPDX-License-Identifier: BSL-1.0
#include "../holds.hpp"

#include <cordon/host/requested_host.hpp>

#include <string>

namespace host_requested_host_test {

using namespace cordon::host;

namespace {

constexpr bool is(std::string_view text, std::string_view host, std::uint16_t port) {
  const requested_host a = parse_requested_host(text);
  return a.how == asking::host && text_of(a).view() == host && a.port == port;
}
constexpr bool is_malformed(std::string_view text) { return parse_requested_host(text).how == asking::malformed; }
constexpr bool is_other(std::string_view text) { return parse_requested_host(text).how == asking::other_scheme; }

} // namespace

TEST_CASE("requested host: hosts, with a port and without") {
  HOLDS(is("Example.COM.", "example.com", 443));
  HOLDS(is("example.com:8443", "example.com", 8443));
  HOLDS(is("example.com:0080", "example.com", 80));
  HOLDS(is("a_b.-c-.d", "a_b.-c-.d", 443));
  HOLDS(is("::1", "::1", 443));
  HOLDS(is("2001:db8::1:443", "2001:db8::1:443", 443));
  HOLDS(is("[::1]", "::1", 443));
  HOLDS(is("[::1]:3000", "::1", 3000));
  HOLDS(is("::ffff:127.0.0.1", "127.0.0.1", 443));
  HOLDS(is("0x7F.1:80", "127.0.0.1", 80));
  HOLDS(is("127.1.", "127.0.0.1", 443));
}

TEST_CASE("requested host: a URL without a port has its scheme's port") {
  HOLDS(is("http://example.com", "example.com", 80));
  HOLDS(is("HTTPS://example.com?x", "example.com", 443));
  HOLDS(is("https://example.com:/", "example.com", 443));
  HOLDS(is("http://example.com:8080#x", "example.com", 8080));
  HOLDS(is("http://[::1]:/", "::1", 80));
  HOLDS(is("https://evil.com#@example.com/", "evil.com", 443));
  HOLDS(is("https://evil.com/://example.com", "evil.com", 443));
  HOLDS(is("https://example.com/\xc3\xbc", "example.com", 443));
}

TEST_CASE("requested host: another scheme is reported before the host is parsed") {
  HOLDS(is_other("ftp://example.com/"));
  HOLDS(is_other("file:///etc/passwd"));
  HOLDS(is_other("httpss://a..b"));
  HOLDS(is_other("htt://"));
  HOLDS(is_other("a+b-c.1://x"));
  HOLDS(is_malformed("://example.com"));
  HOLDS(is_malformed("1http://example.com"));
  HOLDS(is_malformed("ht tp://example.com"));
  HOLDS(is_malformed("example.com/x://y"));
}

TEST_CASE("requested host: invalid texts") {
  for (const char* text : {"",
                           " ",
                           ".",
                           "..",
                           "a..b",
                           ".a",
                           "a.b..",
                           "a b",
                           "a%b",
                           "a@b",
                           "a\\b",
                           "a*b",
                           "a/b",
                           "a?b",
                           "a#b",
                           "a\tb",
                           "a\nb",
                           "a!b",
                           "=a",
                           "a,b",
                           "a:",
                           "a:0",
                           "a:65536",
                           "a:x",
                           "a:-1",
                           "a:80:90",
                           "[",
                           "[]",
                           "[::1",
                           "[::1]x",
                           "[::1]x80",
                           "[::1]8080",
                           "[::1]:",
                           "[127.0.0.1]",
                           "[fe80::1%25lo]",
                           "fe80::1%lo",
                           ":80",
                           "256.1.1.1",
                           "a.1",
                           "1.2.3.4.5",
                           "08.1",
                           "0x",
                           "http://",
                           "http:///x",
                           "http://:80",
                           "http://u@h",
                           "http://h:0",
                           "http://h:99999",
                           "http://::1/",
                           "http://a b/",
                           "http://a/ b",
                           "http://a/\x7f",
                           "http://a/b\nc",
                           "http://a\\b/",
                           "//a/",
                           "https:a",
                           "https:/a",
                           "xn--a.de",
                           "\xc3\xbc.de"})
    CHECK(is_malformed(text));
  CHECK(is_malformed(std::string("a\0b", 3)));
  CHECK(is_malformed(std::string("http://a/\0", 10)));
  CHECK(is_malformed(std::string(64, 'a')));
  const std::string label(63, 'a'), longest = label + "." + label + "." + label + "." + std::string(61, 'a');
  CHECK(!is_malformed(longest + ".:80"));
  CHECK(is_malformed(longest + "a"));
}

TEST_CASE("requested host: each host has its place in the tree") {
  HOLDS(parse_requested_host("a.b").place().view() == "=a.b");
  HOLDS(parse_requested_host("8.8.8.8").place().view() ==
        place_of(only(ipv4(0x08080808)), address_class::global).view());
  HOLDS(parse_requested_host("10.0.0.1").place().view() ==
        place_of(only(ipv4(0x0A000001)), address_class::special_purpose).view());
  HOLDS(parse_requested_host("[::1]").place().view() ==
        place_of(only(ipv6(0, 1)), address_class::special_purpose).view());
}

} // namespace host_requested_host_test
