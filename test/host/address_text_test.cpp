// SPDX-License-Identifier: BSL-1.0
#include "../dice.hpp"
#include "../holds.hpp"

#include <cordon/host/address_text.hpp>

namespace host_address_text_test {

using namespace cordon::host;

namespace {

constexpr bool prints(const address& a, std::string_view wanted) {
  small_text<45> text;
  print(a, text);
  return text.view() == wanted && !text.is_cut();
}
constexpr bool strict(std::string_view text, std::uint32_t number) {
  const parsed_address a = parse_ipv4(text);
  return a && a.value == ipv4(number);
}
constexpr bool loose(std::string_view text, std::uint32_t number) {
  const parsed_address a = parse_ipv4_shorthand(text);
  return a && a.value == ipv4(number);
}
constexpr bool reads(std::string_view text, std::string_view canonical) {
  const parsed_address a = parse_ipv6(text);
  return a && prints(a.value, canonical);
}

} // namespace

TEST_CASE("address_text: four decimal parts") {
  HOLDS(strict("192.0.2.7", 0xC0000207));
  HOLDS(strict("0.0.0.0", 0));
  HOLDS(strict("255.255.255.255", 0xFFFFFFFF));
  for (const char* text : {"", "1", "1.2.3", "1.2.3.4.5", "256.0.0.1", "01.2.3.4", "1.2.3.04", "1.2.3.4.", ".1.2.3",
                           "1..2.3", "1.2.3.-4", "0x1.2.3.4", "1.2.3.4 ", "1.2.3.99999999999"})
    CHECK(!parse_ipv4(text));
}

TEST_CASE("address_text: the old IPv4 shorthands") {
  HOLDS(loose("127.1", 0x7F000001));
  HOLDS(loose("0x7f.1", 0x7F000001));
  HOLDS(loose("2130706433", 0x7F000001));
  HOLDS(loose("0177.0.0.01", 0x7F000001));
  HOLDS(loose("0x7f000001", 0x7F000001));
  HOLDS(loose("10.1.258", 0x0A010102));
  HOLDS(loose("10.0x10203", 0x0A010203));
  HOLDS(loose("1.2.3.4", 0x01020304));
  HOLDS(loose("0", 0));
  HOLDS(loose("4294967295", 0xFFFFFFFF));
  for (const char* text : {"", "256.1", "1.2.3.256", "1.2.65536", "1.16777216", "4294967296", "08", "0x", "0xg",
                           "1.2.3.4.5", "1.", ".1", "1..2", "-1"})
    CHECK(!parse_ipv4_shorthand(text));
}

TEST_CASE("address_text: IPv6, and its canonical text") {
  HOLDS(reads("::", "::"));
  HOLDS(reads("::1", "::1"));
  HOLDS(reads("2001:DB8:0:0::1", "2001:db8::1"));
  HOLDS(reads("1:2:3:4:5:6:7:8", "1:2:3:4:5:6:7:8"));
  HOLDS(reads("1:2:3:4:5:6:7::", "1:2:3:4:5:6:7:0"));
  HOLDS(reads("::2:3:4:5:6:7:8", "0:2:3:4:5:6:7:8"));
  HOLDS(reads("1:0:0:2:0:0:0:3", "1:0:0:2::3"));
  HOLDS(reads("1:0:0:2:0:0:3:4", "1::2:0:0:3:4"));
  HOLDS(reads("1::", "1::"));
  HOLDS(reads("64:ff9b::10.0.0.1", "64:ff9b::a00:1"));
  HOLDS(reads("::ffff:10.0.0.1", "10.0.0.1"));
  HOLDS(reads("0:0:0:0:0:FFFF:0a00:0001", "10.0.0.1"));
  for (const char* text : {"",
                           ":",
                           ":::",
                           "1:2:3:4:5:6:7",
                           "1:2:3:4:5:6:7:8:9",
                           "1:2:3:4:5:6:7:8::",
                           "::1::",
                           "1:",
                           ":1",
                           "12345::",
                           "00001::",
                           "::0ffff",
                           "g::",
                           "::1%lo",
                           "::1.2.3",
                           "::01.2.3.4",
                           "1.2.3.4::",
                           "::1.2.3.4:5",
                           "1:2:3:4:5:6:7:1.2.3.4",
                           "[::1]",
                           "10.0.0.1",
                           "1:::2",
                           " ::1"})
    CHECK(!parse_ipv6(text));
  HOLDS(parse_address("10.0.0.1").value == ipv4(0x0A000001));
  HOLDS(parse_address("::1").value == ipv6(0, 1));
  HOLDS(!parse_address("127.1"));
  HOLDS(!parse_address("fe80::1%eth0"));
}

TEST_CASE("address_text: random addresses are read as they were printed") {
  bool fine = true;
  for (int seed = 0; seed < 5000; ++seed) {
    dice d(static_cast<std::uint64_t>(seed));
    address a = d.percent(20) ? ipv4(static_cast<std::uint32_t>(d.next())) : ipv6(d.next(), d.next());
    for (std::size_t i = 0; i < a.size(); i += 2)
      if (a.family == family::v6 && d.percent(50)) a.bytes[i] = 0, a.bytes[i + 1] = d.percent(70) ? 0 : 1;
    a = unmapped(a);
    small_text<45> text;
    print(a, text);
    const parsed_address again = parse_address(text.view());
    fine = fine && again && again.value == a && text.view().find(":::") == std::string_view::npos;
  }
  CHECK(fine);
}

} // namespace host_address_text_test
