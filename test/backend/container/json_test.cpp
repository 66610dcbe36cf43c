// SPDX-License-Identifier: BSL-1.0
#include <cordon/backend/container/json.hpp>

#include <doctest/doctest.h>

#include <string>

using namespace cordon;

namespace {

std::string escaped(std::string_view given) {
  std::string out;
  escape_json(given, [&](std::string_view piece) { out += piece; });
  return out;
}

template <class F> std::string written(F&& body) {
  std::string out;
  auto sink = [&](std::string_view piece) { out += piece; };
  container::json_writer<decltype(sink)> to(sink);
  body(to);
  return out;
}

} // namespace

TEST_CASE("container: JSON text") {
  CHECK(escaped("a\"b\\c\nd\x01\x7f") == "a\\\"b\\\\c\\u000ad\\u0001\\u007f");
  CHECK(escaped("\xC5\xBE\xF0\x9F\x94\x92") == "\xC5\xBE\xF0\x9F\x94\x92");
  CHECK(escaped("a\xC2\x9B"
                "2J\xE2\x80\xAE\xD8\x9C\xE2\x80\xA8") == "a\\u009b2J\\u202e\\u061c\\u2028");
}

TEST_CASE("container: JSON layout") {
  using container::layout;
  CHECK(written([](auto& to) { to.object(layout::lines, [] {}); }) == "{}");
  CHECK(written([](auto& to) {
          to.object(layout::lines, [&] {
            to.member("a", "b\"");
            to.list("c", layout::one_line, [&] { to.number(0), to.text("x", "y"), to.boolean(true); });
            to.object("d", layout::lines, [&] { to.member_number("e", ~std::uint64_t{0}); });
            to.list("f", layout::lines, [] {});
            to.list("g", layout::one_line, [&] { to.object(layout::lines, [&] { to.member_flag("h", false); }); });
          });
        }) == "{\n  \"a\": \"b\\\"\",\n  \"c\": [0, \"xy\", true],\n  \"d\": {\n    \"e\": 18446744073709551615\n  },\n"
              "  \"f\": [],\n  \"g\": [{\"h\": false}]\n}");
  CHECK(written([](auto& to) {
          to.text_of([](auto& out) {
            container::json_writer<std::remove_reference_t<decltype(out)>> inner(out);
            inner.object(layout::one_line, [&] { inner.member("k", "\\\n"); });
          });
        }) == R"("{\"k\": \"\\\\\\u000a\"}")");
}
