// SPDX-License-Identifier: BSL-1.0
#include "cordon/host/published_port.hpp"

#include "../holds.hpp"

#include <string_view>

namespace host_published_port {
namespace {

using namespace cordon::host;

constexpr published_port at(std::uint16_t port, std::uint16_t to) { return {.port = port, .to = to}; }
constexpr published_port at(address where, std::uint16_t port, std::uint16_t to) {
  return {.localhost = false, .at = where, .port = port, .to = to};
}
constexpr bool says(std::string_view text, const published_port& wanted) {
  const parsed_published_port p = parse_published_port(text);
  return p && p.value == wanted;
}

TEST_CASE("published port: an address, the machine's port, the run's port") {
  HOLDS(says("8080", at(8080, 8080)));
  HOLDS(says("8080:80", at(8080, 80)));
  HOLDS(says("localhost:8080:80", at(8080, 80)));
  HOLDS(says("localhost:8080", at(8080, 8080)));
  HOLDS(says("192.0.2.7:8080:80", at(ipv4(0xC0000207), 8080, 80)));
  HOLDS(says("0.0.0.0:65535", at(ipv4(0), 65535, 65535)));
  HOLDS(says("[::1]:8080:80", at(ipv6(0, 1), 8080, 80)));
  HOLDS(says("[::]:1", at(ipv6(0, 0), 1, 1)));
}

TEST_CASE("published port: everything else is none") {
  for (const std::string_view text : {"",
                                      ":",
                                      "0",
                                      "8080:",
                                      ":80",
                                      "8080:0",
                                      "8080:80:1",
                                      "65536",
                                      "-1",
                                      "+80",
                                      " 80",
                                      "80 ",
                                      "8080/tcp",
                                      "8080-8090",
                                      "localhost",
                                      "localhost:",
                                      "example.com:80",
                                      "192.0.2.7",
                                      "192.0.2.7:",
                                      "192.0.2:80",
                                      "127.1:80",
                                      "::1:80",
                                      "[::1]",
                                      "[::1]80",
                                      "[::1:80",
                                      "[]:80",
                                      "[127.0.0.1]:80",
                                      "[fe80::1%lo]:80",
                                      "*:80"})
    CHECK_MESSAGE(!parse_published_port(text), text);
}

constexpr bool prints(std::string_view text) { return text_of(parse_published_port(text).value).view() == text; }

TEST_CASE("published port: its text says the same") {
  HOLDS(prints("localhost:8080:80"));
  HOLDS(prints("192.0.2.7:1:65535"));
  HOLDS(prints("[2001:db8::1]:8080:80"));
  HOLDS(prints("[::]:80:80"));
  const parsed_published_port longest = parse_published_port("[1111:2222:3333:4444:5555:6666:7777:8888]:65535:65534");
  CHECK(!text_of(longest.value).is_cut());
}

} // namespace
} // namespace host_published_port
