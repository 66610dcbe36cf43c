// SPDX-License-Identifier: BSL-1.0
#include <cordon/format/json.hpp>

#include <doctest/doctest.h>

using namespace cordon;
using namespace cordon::format;

namespace {

/// `code line:column` of the error in the text; "ok" if it has none.
std::string error_of(const std::string& content) {
  try {
    const json::text text("t", content);
  } catch (const bad_document& e) {
    return std::string(name(e.code())) + " " + std::to_string(e.line()) + ":" + std::to_string(e.column());
  }
  return "ok";
}

/// The offset of the value that a path of keys (words) and indexes (numbers) leads to; of_key: the offset of its key.
std::size_t offset_of(const json::node& n, const std::vector<std::string>& way, std::size_t at = 0,
                      bool of_key = false) {
  if (at == way.size()) return n.offset(of_key);
  std::size_t found = std::string::npos, index = 0;
  if (n.is_list())
    n.each("a list", [&](const json::node& e) {
      if (std::to_string(index++) == way[at]) found = offset_of(e, way, at + 1, of_key);
    });
  else
    n.members("an object", [&](std::string_view key, const json::node& v) {
      if (key == way[at]) found = offset_of(v, way, at + 1, of_key);
    });
  return found;
}

std::string nested(std::size_t depth) { return std::string(depth, '[') + std::string(depth, ']'); }

} // namespace

TEST_CASE("json: syntax errors have their line and column") {
  CHECK(error_of("") == "syntax 1:1");
  CHECK(error_of(" \n ") == "syntax 2:2");
  CHECK(error_of("{\"a\": 1") == "syntax 1:8");
  CHECK(error_of("{\"a\": 1}\n\n x") == "syntax 3:2");
  CHECK(error_of("{} {}") == "syntax 1:4");
  CHECK(error_of("[1,\n 2,\n]") == "syntax 3:1");
  CHECK(error_of("{\n  // no comments\n}") == "syntax 2:3");
  CHECK(error_of("{'a': 1}") == "syntax 1:2");
  CHECK(error_of("[01]") == "syntax 1:3");
  CHECK(error_of("\"\xff\"") == "syntax 1:2");
  CHECK(error_of("[1]\n") == "ok");
  CHECK(error_of("\"\\ud800\"") != "ok");
}

TEST_CASE("json: a repeated key is an error at the second one, at any depth and in any spelling") {
  CHECK(error_of("{\"a\": 1,\n \"a\": 2}") == "duplicate_key 2:2");
  CHECK(error_of("{\"x\": [{\"a\": {}, \"b\": 1, \"a\": 2}]}") == "duplicate_key 1:26");
  CHECK(error_of("{\"a\": 1, \"\\u0061\": 2}") == "duplicate_key 1:10");
  CHECK(error_of("{\"a\": {\"a\": {\"a\": 1}}}") == "ok");
  CHECK(error_of("[{\"a\": 1}, {\"a\": 1}]") == "ok");
  CHECK(error_of("{\"a\": \"{\\\"b\\\": 1, \\\"b\\\": 2}\", \"c\": \"]\"}") == "ok");
}

TEST_CASE("json: nesting above 64 is refused") {
  CHECK(error_of(nested(json::deepest)) == "ok");
  CHECK(error_of(nested(json::deepest + 1)).substr(0, 9) == "syntax 1:");
  CHECK(error_of(std::string(1'000'000, '[')).substr(0, 9) == "syntax 1:");
  CHECK(error_of("{\"a\":" + nested(json::deepest - 1) + "}") == "ok");
}

TEST_CASE("json: columns count characters, lines count line feeds") {
  const std::string text = "a\xc3\xbc"
                           "b\r\n\xf0\x9f\x94\x92x\n";
  const auto at = [&](std::size_t offset) {
    const json::position p = json::position_of(text, offset);
    return std::to_string(p.line) + ":" + std::to_string(p.column);
  };
  CHECK(at(0) == "1:1");
  CHECK(at(1) == "1:2");
  CHECK(at(3) == "1:3");
  CHECK(at(6) == "2:1");
  CHECK(at(10) == "2:2");
  CHECK(at(12) == "3:1");
  CHECK(at(99) == "3:1");
}

TEST_CASE("json: each value has its offset in the text") {
  const std::string content = R"( { "a" : [ 1, {"b\u0041": null, "c": "]},\\\"" } , true ] ,
  "d":-1.5e3 , "\"" : {"x": {} } } )";
  const json::text text("t", content);
  const json::node root(text);
  const auto at = [&](const std::vector<std::string>& way, bool of_key = false) {
    return std::string_view(content).substr(offset_of(root, way, 0, of_key), 4);
  };
  CHECK(at({}) == "{ \"a");
  CHECK(at({"a"}) == "[ 1,");
  CHECK(at({"a"}, true) == "\"a\" ");
  CHECK(at({"a", "0"}) == "1, {");
  CHECK(at({"a", "1"}) == "{\"b\\");
  CHECK(at({"a", "1", "bA"}) == "null");
  CHECK(at({"a", "1", "bA"}, true) == "\"b\\u");
  CHECK(at({"a", "1", "c"}) == "\"]},");
  CHECK(at({"a", "2"}) == "true");
  CHECK(at({"d"}) == "-1.5");
  CHECK(at({"d"}, true) == "\"d\":");
  CHECK(at({"\"", "x"}) == "{} }");
  CHECK(at({"\"", "x"}, true) == "\"x\":");
}

TEST_CASE("json: the error for a wrong type has the key, line and column") {
  const json::text text("t", "{\n \"key\": 1}");
  const auto said = [&](auto f) -> std::string {
    try {
      json::node(text).members("an object", [&](std::string_view, const json::node& v) { f(v); });
    } catch (const bad_document& e) { return e.what(); }
    return {};
  };
  CHECK(said([](const json::node& n) { (void)n.string(); }) == "t:2:9: key: must be a string");
  CHECK(said([](const json::node& n) { (void)n.boolean(); }) == "t:2:9: key: must be true or false");
  CHECK(said([](const json::node& n) { n.each("a list", [](const json::node&) {}); }) == "t:2:9: key: must be a list");
  CHECK(said([](const json::node& n) { n.unknown_key("other"); }) == "t:2:2: unknown key \"key\"; known here: other");
}
