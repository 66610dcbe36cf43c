// SPDX-License-Identifier: BSL-1.0
#include "holds.hpp"

#include <cordon/detail/table.hpp>

namespace detail_table_test {

namespace {

using namespace cordon;

enum class colour : unsigned char { red, green };

struct row {
  colour which;
  std::string_view name;
};

constexpr row ordered[]{{colour::red, "red"}, {colour::green, "green"}};
constexpr row exchanged[]{{colour::green, "green"}, {colour::red, "red"}};
constexpr row repeated[]{{colour::red, "red"}, {colour::red, "crimson"}};

} // namespace

TEST_CASE("table: the names are in the order of the rows") {
  HOLDS(detail::names_of(ordered) == std::array<std::string_view, 2>{"red", "green"});
}

TEST_CASE("table: rows are in order if each stands at the number of its enumerator") {
  HOLDS(detail::is_in_order(ordered));
  HOLDS(!detail::is_in_order(exchanged));
  HOLDS(!detail::is_in_order(repeated));
}

} // namespace detail_table_test
