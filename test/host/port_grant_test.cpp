// SPDX-License-Identifier: BSL-1.0
#include "../holds.hpp"

#include <cordon/host/port_grant.hpp>

#include <initializer_list>

namespace host_port_grant_test {

using namespace cordon;
using namespace cordon::host;

namespace {

/// Are the ports the same after writing and reading, and is the value `value`?
constexpr bool survives(std::initializer_list<port_range> allowed, std::initializer_list<port_range> named,
                        std::uint32_t value) {
  const port_set a(allowed), n(named);
  port_grant_writer text;
  const entry e = text.write("p", {a.view(), n.view()});
  const port_grant r = port_grant_of(e);
  return e.place == "p" && e.value == value && payload_size(e.value) == e.payload.size() && r.allowed == a.view() &&
         r.named == n.view();
}

} // namespace

TEST_CASE("port grant: no ports and all ports need no payload") {
  HOLDS(survives({}, {}, 0));
  HOLDS(survives({{}}, {{}}, 1));
}

TEST_CASE("port grant: a set of ports is its own payload") {
  HOLDS(survives({{443, 443}}, {{443, 443}}, 2 + 4));
  HOLDS(survives({{80, 80}, {443, 443}}, {{80, 80}, {443, 443}}, 2 + 8));
}

TEST_CASE("port grant: ports that are allowed but not named come first in the payload") {
  HOLDS(survives({{}}, {}, 0x80000000 | (2 + 4)));
  HOLDS(survives({{}}, {{443, 443}}, 0x80000000 | (2 + 8)));
  HOLDS(survives({{80, 80}, {443, 443}}, {{80, 80}}, 0x80000000 | (2 + 12)));
}

TEST_CASE("port grant: a full set of ranges fits") {
  port_set all, none;
  for (std::uint16_t i = 0; i < port_set::most; ++i)
    all.append({static_cast<std::uint16_t>(1 + 2 * i), static_cast<std::uint16_t>(1 + 2 * i)});
  port_grant_writer text;
  const port_grant r = port_grant_of(text.write("p", {all.view(), none.view()}));
  CHECK(r.allowed == all.view());
  CHECK(r.named.empty());
}

} // namespace host_port_grant_test
