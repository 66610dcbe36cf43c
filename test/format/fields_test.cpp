// SPDX-License-Identifier: BSL-1.0
#include <cordon/format/fields.hpp>

#include <doctest/doctest.h>

using namespace cordon;
using namespace cordon::format;

namespace {

/// The result of `f` for the value of that text, or the code of its error.
template <class F> std::string read_as(const std::string& content, F&& f) {
  try {
    const json::text text("t", content);
    return f(json::node(text));
  } catch (const bad_document& e) { return "error:" + std::string(name(e.code())); }
}

std::string path_of(const std::string& content) {
  return read_as(content, [](const json::node& n) {
    return read_path(n, {platform::linux_, "/home/u", "/srv", nullptr});
  });
}
std::string limit_of(const std::string& content, limit_text::quantity k) {
  return read_as(content, [&](const json::node& n) { return std::to_string(read_limit(n, k)); });
}

} // namespace

TEST_CASE("fields: a word must match the table exactly") {
  const auto word = [](const std::string& text) {
    return read_as(text, [](const json::node& n) { return std::string(name(read_word<level>(n, level_names))); });
  };
  CHECK(word("\"network\"") == "network");
  CHECK(word("\"Network\"") == "error:bad_value");
  CHECK(word("\"\"") == "error:bad_value");
  CHECK(word("4") == "error:bad_type");
}

TEST_CASE("fields: the error for an unknown word lists the known ones") {
  try {
    const json::text text("t", "\"lax\"");
    (void)read_word<fallback>(json::node(text), fallback_names);
    FAIL("read");
  } catch (const bad_document& e) {
    CHECK(std::string(e.what()) == "t:1:1: unknown word \"lax\"; known here: off warn enforce");
  }
}

TEST_CASE("fields: paths in normal form") {
  CHECK(path_of("\"a/../b\"") == "/srv/b");
  CHECK(path_of("\"~\"") == "/home/u");
  CHECK(path_of("\"/a\\u0000\"") == "error:bad_path");
  CHECK(path_of("\"\"") == "error:bad_path");
  CHECK(path_of("[]") == "error:bad_type");
}

TEST_CASE("fields: limits as texts and as numbers") {
  using limit_text::quantity;
  CHECK(limit_of("\"1KiB\"", quantity::size) == "1024");
  CHECK(limit_of("4096", quantity::size) == "4096");
  CHECK(limit_of("9223372036854775807", quantity::size) == "9223372036854775807");
  CHECK(limit_of("9223372036854775808", quantity::size) == "error:bad_limit");
  CHECK(limit_of("99999999999999999999999", quantity::size) == "error:bad_limit");
  CHECK(limit_of("-1", quantity::size) == "error:bad_limit");
  CHECK(limit_of("0", quantity::size) == "error:bad_limit");
  CHECK(limit_of("1.5", quantity::count) == "error:bad_limit");
  CHECK(limit_of("1e3", quantity::size) == "error:bad_limit");
  CHECK(limit_of("true", quantity::size) == "error:bad_type");
  CHECK(limit_of("null", quantity::count) == "error:bad_type");
  CHECK(limit_of("7", quantity::count) == "7");
  CHECK(limit_of("\"7\"", quantity::count) == "7");
  CHECK(limit_of("30", quantity::duration) == "error:bad_type");
  CHECK(limit_of("\"30s\"", quantity::duration) == "30000000000");
}

TEST_CASE("fields: a list of names is checked name by name") {
  const auto names = [](const std::string& text) {
    return read_as(text, [](const json::node& n) {
      std::string all;
      for (const std::string& s : read_names(n, "names", [](std::string_view v) { return v != "bad"; })) all += s + ";";
      return all;
    });
  };
  CHECK(names("[\"a\", \"b\"]") == "a;b;");
  CHECK(names("[]") == "");
  CHECK(names("[\"a\", \"bad\"]") == "error:bad_value");
  CHECK(names("[1]") == "error:bad_type");
  CHECK(names("{}") == "error:bad_type");
}

TEST_CASE("fields: an empty list is refused where the word none is needed") {
  const auto checked = [](const std::string& text) {
    return read_as(text, [](const json::node& n) { return refuse_empty(n, "\"none\""), std::string("fine"); });
  };
  CHECK(checked("[]") == "error:empty_list");
  CHECK(checked("[1]") == "fine");
  CHECK(checked("{}") == "fine");
}

TEST_CASE("fields: the error for a repeated grant has the line of the second one") {
  const auto line_of = [](std::vector<grant> grants) {
    std::string list = "[";
    for (std::size_t i = 0; i < grants.size(); ++i) list += i == 0 ? "\n1" : ",\n1";
    try {
      const json::text text("t", list + "]");
      refuse_twice(json::node(text), grants);
    } catch (const bad_document& e) { return e.line(); }
    return 0U;
  };
  CHECK(line_of({{"/a", {}}, {"/b", {}}}) == 0);
  CHECK(line_of({{"/b", {}}, {"/a", {}}, {"/b", {}}, {"/a", {}}}) == 4);
  CHECK(line_of({{"/a", {}}, {"/a", {}}, {"/a", {}}}) == 3);
}
