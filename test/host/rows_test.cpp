// SPDX-License-Identifier: BSL-1.0
/// The tables, as far as they work without an IDNA library.
#include "host_rows.hpp"

namespace host_rows_test {

using namespace cordon;

TEST_CASE("hosts: the table of patterns, ASCII alone") { host_rows::check_patterns(host::no_idna{}, 82); }
TEST_CASE("hosts: the table of matches, ASCII alone") {
  host_rows::check_matches(
      host::no_idna{}, [](std::string_view text) { return host::parse_requested_host(text); }, 89);
}
TEST_CASE("hosts: the table of coverings") { host_rows::check_covers(host::no_idna{}, 41); }
TEST_CASE("hosts: the table of meets") { host_rows::check_meets(host::no_idna{}, 26); }
TEST_CASE("hosts: the table of resolved addresses") { host_rows::check_dials(host::no_idna{}, 40); }

} // namespace host_rows_test
