// SPDX-License-Identifier: BSL-1.0
#include "lists.hpp"

#include <cordon/host/refusal.hpp>

#include <doctest/doctest.h>

#include <string>

namespace host_refusal_test {

using namespace cordon;

namespace {

/// The message about the requested host.
std::string sentence(std::string_view text, std::string_view patterns) {
  const lists::large hosts(patterns);
  const host::requested_host read = host::parse_requested_host(text);
  host::judged_host h = host::written_parts(text);
  h.port = read.port;
  h.why = host::refusal_of(hosts.view(), read);
  std::string out;
  host::write_refusal(h, [&](std::string_view piece) { out += piece; });
  return out;
}

} // namespace

TEST_CASE("host refusal: each reason has a sentence with the host as written") {
  CHECK(sentence("gist.github.com", "api.github.com") == "host gist.github.com is not in allowed_domains");
  CHECK(sentence("https://Gist.GitHub.com./x?y", "api.github.com") ==
        "host Gist.GitHub.com. is not in allowed_domains");
  CHECK(sentence("gist.github.com:443", "none") == "host gist.github.com is not in allowed_domains");
  CHECK(sentence("example.com:80", "example.com:443") == "host example.com is not in allowed_domains with port 80");
  CHECK(sentence("a.example.com", "example.com !a.example.com") == "host a.example.com is in denied_domains");
  CHECK(sentence("a.b:22", "a.b !a.b:22") == "host a.b is in denied_domains");
  CHECK(sentence("http://[::1]:80/", "*") == "host [::1] is not in allowed_domains");
  CHECK(sentence("::1", "*") == "host ::1 is not in allowed_domains");
  CHECK(sentence("ftp://example.com/", "*") ==
        "scheme ftp of host example.com is refused: only http and https are allowed, whatever the host");
  CHECK(sentence("a..b", "*") == "host a..b is invalid: it is neither a host name nor an address");
  CHECK(sentence("example.com", "example.com").empty());
}

TEST_CASE("host refusal: control characters are escaped") {
  CHECK(sentence("a\x1b[2J\xff.b", "*") ==
        "host a\\x1b[2J\\xff.b is invalid: it is neither a host name nor an address");
}

TEST_CASE("host refusal: without a port, a host is allowed if any port is") {
  const lists::large hosts("example.com:443 a.org !a.org !b.example.com:443");
  const auto why = [&](std::string_view text) {
    return host::refusal_with_any_port(hosts.view(), host::parse_requested_host(text));
  };
  CHECK(why("example.com") == host::refusal::none);
  CHECK(why("b.example.com") == host::refusal::denied);
  CHECK(why("a.org") == host::refusal::denied);
  CHECK(why("b.org") == host::refusal::unlisted);
  CHECK(why("a..b") == host::refusal::unreadable);
  CHECK(why("ws://a.org") == host::refusal::scheme);
}

} // namespace host_refusal_test
