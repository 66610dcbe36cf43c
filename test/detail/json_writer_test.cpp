// SPDX-License-Identifier: BSL-1.0
#include <cordon/detail/json_writer.hpp>

#include "../holds.hpp"

#include <array>
#include <string_view>

namespace detail_json_writer_test {

using namespace cordon;

namespace {

struct buffer {
  std::array<char, 512> all{};
  std::size_t size = 0;

  constexpr void operator()(std::string_view piece) {
    for (const char c : piece) all[size++] = c;
  }
  constexpr bool operator==(std::string_view text) const { return std::string_view(all.data(), size) == text; }
};

constexpr buffer escaped(std::string_view given, json_controls how = json_controls::code_points) {
  buffer out;
  escape_json(given, out, how);
  return out;
}

template <class F> constexpr buffer written(F&& body, json_style style = {}) {
  buffer out;
  json_writer to(out, style);
  body(to);
  return out;
}

/// A list of numbers below `count`, in an object of its own line.
constexpr buffer nested(json_layout how, std::uint64_t count, std::size_t indent = 2) {
  const auto body = [&](auto& to) {
    to.object(json_layout::lines, [&] {
      to.list("a", how, [&] {
        for (std::uint64_t i = 0; i < count; ++i) to.number(i);
      });
      to.object("b", how, [&] {
        for (std::uint64_t i = 0; i < count; ++i) to.member_flag("c", i != 0);
      });
    });
  };
  return written(body, {.indent = indent});
}

constexpr std::array<std::string_view, 2> words{"x", "\""};

} // namespace

TEST_CASE("JSON text: quotes, backslashes and control characters are escaped") {
  HOLDS(escaped("") == "");
  HOLDS(escaped("a\"b\\c\nd\x01\x7f") == "a\\\"b\\\\c\\u000ad\\u0001\\u007f");
  HOLDS(escaped("\xC5\xBE\xF0\x9F\x94\x92") == "\xC5\xBE\xF0\x9F\x94\x92");
  HOLDS(escaped("a\xC2\x9B"
                "2J\xE2\x80\xAE\xD8\x9C\xE2\x80\xA8") == "a\\u009b2J\\u202e\\u061c\\u2028");
}

TEST_CASE("JSON text: five control characters have a short form") {
  constexpr auto short_forms = json_controls::short_forms;
  HOLDS(escaped("\b\t\n\f\r", short_forms) == R"(\b\t\n\f\r)");
  HOLDS(escaped("\b\t\n\f\r") == R"(\u0008\u0009\u000a\u000c\u000d)");
  HOLDS(escaped(std::string_view("\0\x0b\x1f\x7f\"\\/b", 8), short_forms) == R"(\u0000\u000b\u001f\u007f\"\\/b)");
}

TEST_CASE("JSON text: each byte that is not part of a character becomes U+FFFD") {
  HOLDS(escaped("\xff") == "\xEF\xBF\xBD");
  HOLDS(escaped("a\xE2\x80"
                "b\x80\"") == "a\xEF\xBF\xBD\xEF\xBF\xBD"
                              "b\xEF\xBF\xBD\\\"");
}

TEST_CASE("JSON layout: empty objects and lists have no line ends") {
  HOLDS(written([](auto& to) { to.object(json_layout::lines, [] {}); }) == "{}");
  HOLDS(written([](auto& to) { to.list(json_layout::lines, [] {}); }) == "[]");
  HOLDS(nested(json_layout::lines, 0) == "{\n  \"a\": [],\n  \"b\": {}\n}");
  HOLDS(nested(json_layout::hanging, 0) == "{\n  \"a\": [],\n  \"b\": {}\n}");
  HOLDS(nested(json_layout::compact, 0) == "{\n  \"a\": [],\n  \"b\": {}\n}");
}

TEST_CASE("JSON layout: each layout separates items in its own way") {
  HOLDS(nested(json_layout::lines, 2) ==
        "{\n  \"a\": [\n    0,\n    1\n  ],\n  \"b\": {\n    \"c\": false,\n    \"c\": true\n  }\n}");
  HOLDS(nested(json_layout::lines, 1, 1) == "{\n \"a\": [\n  0\n ],\n \"b\": {\n  \"c\": false\n }\n}");
  HOLDS(nested(json_layout::hanging, 2) == "{\n  \"a\": [0,\n    1],\n  \"b\": {\"c\": false,\n    \"c\": true}\n}");
  HOLDS(nested(json_layout::one_line, 2) == "{\n  \"a\": [0, 1],\n  \"b\": {\"c\": false, \"c\": true}\n}");
  HOLDS(nested(json_layout::filled, 2) == "{\n  \"a\": [0, 1],\n  \"b\": {\"c\": false, \"c\": true}\n}");
  HOLDS(nested(json_layout::compact, 2) == "{\n  \"a\": [0,1],\n  \"b\": {\"c\":false,\"c\":true}\n}");
}

TEST_CASE("JSON layout: an outer layout has no effect on an inner one") {
  constexpr auto body = [](auto& to) {
    to.object(json_layout::one_line, [&] {
      to.object("a", json_layout::compact, [&] { to.member_number("b", 1); });
      to.list("c", json_layout::lines, [&] {
        to.object(json_layout::one_line, [&] {
          to.list("d", json_layout::hanging, [&] {
            to.text("e");
            to.null();
          });
        });
      });
      to.member_flag("f", true);
    });
  };
  HOLDS(written(body) == "{\"a\": {\"b\":1}, \"c\": [\n  {\"d\": [\"e\",\n    null]}\n], \"f\": true}");
}

TEST_CASE("JSON layout: a filled list breaks lines where the caller starts them") {
  constexpr auto body = [](auto& to) {
    to.list(json_layout::filled, [&] {
      to.start_line();
      to.number(1);
      to.number(2);
      to.start_line();
      to.number(3);
    });
  };
  HOLDS(written(body) == "[\n  1, 2,\n  3]");
}

TEST_CASE("JSON layout: documents follow each other, and a part can be continued") {
  HOLDS(written([](auto& to) {
          to.number(1);
          to.end_line();
          to.number(2);
          to.end_line();
        }) == "1\n2\n");
  HOLDS(written([](auto& to) {
          to.resume(json_layout::lines, 2, true);
          to.member("a", "b");
        }) == ",\n    \"a\": \"b\"");
  HOLDS(written([](auto& to) {
          to.resume(json_layout::hanging, 1, false);
          to.number(1);
          to.number(2);
        }) == "1,\n  2");
}

TEST_CASE("JSON values") {
  HOLDS(written([](auto& to) { to.number(~std::uint64_t{0}); }) == "18446744073709551615");
  HOLDS(written([](auto& to) { to.number(0); }) == "0");
  HOLDS(written([](auto& to) { to.boolean(false); }) == "false");
  HOLDS(written([](auto& to) { to.text("x", "\"", "y"); }) == R"("x\"y")");
  HOLDS(written([](auto& to) { to.text("\n"); }, {.controls = json_controls::short_forms}) == R"("\n")");
  HOLDS(written([](auto& to) {
          to.list(json_layout::one_line, [&] {
            to.json("{}");
            to.json("1");
          });
        }) == "[{}, 1]");
  HOLDS(written([](auto& to) { to.object(json_layout::one_line, [&] { to.member("\"", "\\"); }); }) ==
        R"({"\"": "\\"})");
}

TEST_CASE("JSON members: null for an empty text, a list of texts, a list of objects") {
  constexpr auto body = [](auto& to) {
    to.object(json_layout::compact, [&] {
      to.member_or_null("a", "");
      to.member_or_null("b", "c");
      to.member_texts("d", words);
      to.member_texts("e", std::array<std::string_view, 0>{});
      to.member_objects("f", words, [&](std::string_view w) { to.member("g", w); });
      to.member_objects("h", std::array<std::string_view, 0>{}, [](std::string_view) {});
    });
  };
  HOLDS(written(body) == R"({"a":null,"b":"c","d":["x", "\""],"e":[],"f":[
  {"g": "x"},
  {"g": "\""}
],"h":[]})");
}

TEST_CASE("JSON in a string is escaped once more") {
  constexpr auto body = [](auto& to) {
    to.text_of([](auto& out) {
      json_writer inner(out);
      inner.object(json_layout::one_line, [&] { inner.member("k", "\\\n"); });
    });
  };
  HOLDS(written(body) == R"("{\"k\": \"\\\\\\u000a\"}")");
}

} // namespace detail_json_writer_test
