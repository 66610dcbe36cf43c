// SPDX-License-Identifier: BSL-1.0
#include "../dice.hpp"
#include "../host/host_rows.hpp"

#include <cordon/format/host_text.hpp>

#include <boost/url/parse.hpp>
#include <boost/url/src.hpp>
#include <boost/url/url_view.hpp>

#include <algorithm>

using namespace cordon;

namespace {

std::string label(std::string_view written) {
  host::name_text to;
  return format::idna{}(written, to) ? std::string(to.view()) : "refused";
}

/// Scheme, host and port as Boost.URL parses them; empty if the URL is invalid.
struct second_reader {
  std::string host, written;
  unsigned port = 0;

  explicit second_reader(std::string_view url) {
    const std::string_view origin = url.substr(0, url.find_first_of("/?#", url.find("://") + 3));
    written = origin.substr(origin.find("://") + 3);
    written.erase(std::min(written.find(':'), written.size()));
    const auto read = boost::urls::parse_uri({origin.data(), origin.size()});
    if (!read || read->has_userinfo()) return;
    host = std::string(read->encoded_host());
    port = read->has_port() && !read->port().empty() ? read->port_number() : origin[4] == ':' ? 80 : 443;
  }
};

/// Boost.URL 1.81 refuses names that begin like an IPv4 address, such as 127.0.0.1.example.com. Or it parses the
/// address as the host and the rest as a path.
bool begins_like_ipv4(std::string_view host) {
  for (std::size_t end = 7; end <= 15 && end < host.size(); ++end)
    if (host::parse_ipv4(host.substr(0, end))) return true;
  return false;
}

} // namespace

TEST_CASE("host_text: the table of patterns") { host_rows::check_patterns(format::idna{}, 82); }
TEST_CASE("host_text: the table of matches") {
  host_rows::check_matches(
      format::idna{}, [](std::string_view text) { return format::parse_requested_host(text); }, 89);
}
TEST_CASE("host_text: the table of coverings") { host_rows::check_covers(format::idna{}, 41); }
TEST_CASE("host_text: the table of meets") { host_rows::check_meets(format::idna{}, 26); }
TEST_CASE("host_text: the table of resolved addresses") { host_rows::check_dials(format::idna{}, 40); }

TEST_CASE("host_text: IDNA maps these labels") {
  CHECK(label("m\xc3\xbcnchen") == "xn--mnchen-3ya");
  CHECK(label("M\xc3\x9cNCHEN") == "xn--mnchen-3ya");
  CHECK(label("fa\xc3\x9f") == "xn--fa-hia");
  CHECK(label("xn--fa-hia") == "xn--fa-hia");
  CHECK(label("XN--FA-HIA") == "xn--fa-hia");
  CHECK(label("\xe2\x84\xaa") == "k");
  CHECK(label("a\xe3\x80\x82"
              "b") == "a.b");
  CHECK(label("a\xc2\xad"
              "b") == "ab");
}

TEST_CASE("host_text: IDNA refuses these labels") {
  for (const char* written : {"\xff", "a\xef\xbf\xbd", "\xed\xa0\x80", "xn--", "xn--a", "xn--abc-", "xn--zzzzz99999",
                              "\xc2\xad", "-\xc3\xbc", "\xc3\xbc-",
                              "a\xe2\x80\x8d"
                              "b"})
    CHECK(label(written) == "refused");
  CHECK(label(std::string_view("a\0\xc3\xbc", 4)) == "refused");
  CHECK(label("\xc3\xbc" + std::string(62, 'a')) == "refused");
}

TEST_CASE("host_text: Boost.URL reads the same host and port in random URLs") {
  const char* const pieces[]{"a", ".",         "b.c",     "-",     "_",
                             "1", "0x7f",      ":",       ":80",   ":443",
                             "/", "?",         "#",       "@",     "[",
                             "]", "::1",       "%41",     "\\",    "http",
                             "~", "127.0.0.1", "xn--tda", "[::1]", "[2001:db8::1]",
                             "!", "..",        "com",     "8080",  "0",
                             ";"};
  int read = 0, refused = 0;
  for (int seed = 0; seed < 100'000; ++seed) {
    dice d(static_cast<std::uint64_t>(seed));
    std::string url = d.percent(50) ? "http://" : "https://";
    for (std::uint32_t n = 1 + d.below(6); n != 0; --n) url += d.one_of(pieces);
    const host::requested_host first = format::parse_requested_host(url);
    const second_reader second(url);
    if (first.how != host::asking::host) {
      ++refused;
      continue;
    }
    const host::requested_host again = format::parse_requested_host(second.host);
    const std::string host(host::text_of(first).view());
    CAPTURE(url);
    if (begins_like_ipv4(first.is_address ? second.written : host)) continue;
    ++read;
    CHECK(second.port == first.port);
    CHECK((again.how == host::asking::host && again.place().view() == first.place().view()));
  }
  CHECK(read > 10'000);
  CHECK(refused > 10'000);
}
