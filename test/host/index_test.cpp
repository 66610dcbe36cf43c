// SPDX-License-Identifier: BSL-1.0
#include "lists.hpp"
#include "plain_hosts.hpp"

#include <cordon/host/index.hpp>

#include <doctest/doctest.h>

namespace host_index_test {

using namespace cordon;

namespace {

#ifdef __OPTIMIZE__
constexpr int rounds = 1'000;
#else
constexpr int rounds = 100;
#endif

bool covers(std::string_view words, std::string_view asked) {
  return host_index(lists::large(words).view().allowed).covers(host::parse_requested_host(asked));
}

std::string random_name(dice& d, std::uint32_t most_labels) {
  std::string name;
  for (std::uint32_t n = 1 + d.below(most_labels); n != 0; --n) {
    if (!name.empty()) name += '.';
    // Sizes around the blocks of eight bytes in which names are hashed, with few different letters.
    for (std::uint32_t size = d.percent(80) ? 1 + d.below(3) : 6 + d.below(14); size != 0; --size)
      name += static_cast<char>('a' + d.below(3));
  }
  return name;
}

} // namespace

TEST_CASE("host_index: patterns cover their hosts") {
  CHECK(covers("example.com", "example.com"));
  CHECK(covers("example.com", "a.b.example.com:80"));
  CHECK(!covers("example.com", "notexample.com"));
  CHECK(!covers("example.com", "com"));
  CHECK(!covers("*.example.com", "example.com"));
  CHECK(covers("*.example.com", "a.example.com"));
  CHECK(covers("=example.com", "example.com"));
  CHECK(!covers("=example.com", "a.example.com"));
  CHECK(covers("example.com:443 =example.com:80", "example.com:80"));
  CHECK(!covers("example.com:443 =example.com:80", "a.example.com:80"));
  CHECK(!covers("*.example.com =example.com:80", "example.com"));
  CHECK(covers("*.example.com:80 =example.com", "example.com"));
  CHECK(!covers("*.example.com:80 =example.com", "a.example.com"));
  CHECK(covers("*", "example.com"));
  CHECK(!covers("*:80", "example.com"));
  CHECK(covers("*:80 example.com", "a.example.com"));
  CHECK(covers("*", "8.8.8.8"));
  CHECK(!covers("*", "10.0.0.1"));
  CHECK(covers("* 10.0.0.0/8", "10.0.0.1"));
  CHECK(covers("10.0.0.0/8:443", "[::ffff:10.0.0.1]"));
  CHECK(!covers("[::]/0", "10.0.0.1"));
  CHECK(covers("[2001:db8::]/32", "[2001:db8::1]"));
  CHECK(covers("any", "[::1]"));
  CHECK(covers("any", "localhost"));
  CHECK(!covers("none", "example.com"));
  CHECK(!covers("example.com", "a..b"));
}

TEST_CASE("host_index: no pattern covers an invalid name") {
  const host_index any(host::any_host.allowed), some(lists::large("example.com").view().allowed);
  CHECK(!any.covers("", 443));
  CHECK(!any.covers(std::string(254, 'a'), 443));
  CHECK(any.covers(std::string(253, 'a'), 443));
  CHECK(!some.covers(std::string(253, '.'), 443));
  CHECK(!some.covers("./example.com", 443));
  CHECK(!some.covers(".", 443));
}

TEST_CASE("host_index: random axes have the same result as their step function") {
  const plain_hosts::world& w = plain_hosts::hosts();
  int yes = 0;
  for (int seed = 0; seed < rounds; ++seed) {
    dice d(static_cast<std::uint64_t>(seed));
    const plain_hosts::axis a = plain_hosts::random(d, false);
    const plain_hosts::table t = a.allowed();
    const host_index index(lists::large(a.words()).view().allowed);
    bool fine = true;
    for (std::size_t at = 0; at < w.points.size(); ++at) {
      const std::size_t port = d.below(plain_hosts::ports.size());
      host::requested_host q = host::parse_requested_host(w.points[at].text());
      q.port = static_cast<std::uint16_t>(plain_hosts::ports[port]);
      fine = fine && index.covers(q) == t[port].test(at);
      yes += t[port].test(at);
    }
    CAPTURE(seed);
    REQUIRE(fine);
  }
  CHECK(yes > rounds * 10);
}

TEST_CASE("host_index: names of every size, and tables that grow") {
  for (const std::uint32_t size : {0U, 1U, 7U, 8U, 60U, 500U, 5'000U}) {
    dice d(size);
    lists::large list;
    std::string words;
    for (std::uint32_t i = 0; i < size; ++i) {
      const char* const shapes[]{"", "=", "*."};
      const char* const ports[]{"", "", ":443", ":80-90"};
      words += (i == 0 ? "" : " ") + std::string(d.one_of(shapes)) + random_name(d, 4) + d.one_of(ports);
    }
    const lists::large a(words);
    const step_function<host_tree> f = a.view().allowed;
    const host_index index(f);
    int yes = 0, wrong = 0;
    for (int i = 0; i < 20'000; ++i) {
      const std::string name = random_name(d, 6);
      for (const std::uint16_t port : {80, 443}) {
        const bool covered = host::port_grant_of(f.at(f.find("=" + name))).allowed.contains(port);
        wrong += index.covers(name, port) != covered;
        yes += covered;
      }
    }
    CAPTURE(size);
    CHECK(a.fine);
    CHECK(wrong == 0);
    CHECK((yes > 100 || size < 60));
    CHECK((index.bytes() < size * 45 || size < 500));
  }
}

} // namespace host_index_test
