// SPDX-License-Identifier: BSL-1.0
#include "../host/host_rows.hpp"

#include <cordon/format/host_text.hpp>

using namespace cordon;

TEST_CASE("host_text: the table of patterns") { host_rows::check_patterns(format::idna{}, 82); }
TEST_CASE("host_text: the table of questions") {
  host_rows::check_matches(format::idna{}, [](std::string_view text) { return format::ask_host(text); }, 89);
}
TEST_CASE("host_text: the table of coverings") { host_rows::check_covers(format::idna{}, 41); }
TEST_CASE("host_text: the table of meets") { host_rows::check_meets(format::idna{}, 26); }
TEST_CASE("host_text: the table of resolved addresses") { host_rows::check_dials(format::idna{}, 40); }
