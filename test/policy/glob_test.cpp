// SPDX-License-Identifier: BSL-1.0
#include "../holds.hpp"

#include <cordon/policy/glob.hpp>

#include <string>

namespace policy_glob_test {

using cordon::glob::flaw;
using cordon::glob::pattern;
using cordon::glob::start;

namespace {

constexpr bool matches(std::string_view text, std::string_view path) { return pattern(text).matches(path); }

} // namespace

TEST_CASE("glob: a star and a question mark stay within a component") {
  HOLDS(matches("/a/*.c", "a/x.c") && matches("/a/*.c", "a/.c") && !matches("/a/*.c", "a/b/x.c"));
  HOLDS(matches("/a?c", "abc") && !matches("/a?c", "ac") && !matches("/a?c", "a/c"));
  HOLDS(matches("/*a*b*", "xaxxbx") && matches("/*ab", "aab") && !matches("/*ab", "aba"));
  HOLDS(matches("/.*", ".env") && matches("/*", ".env"));
}

TEST_CASE("glob: two stars match any number of components") {
  HOLDS(matches("**/x", "x") && matches("**/x", "a/b/x") && !matches("**/x", "a/bx"));
  HOLDS(matches("/a/**/x", "a/x") && matches("/a/**/x", "a/b/c/x") && !matches("/a/**/x", "b/x"));
  HOLDS(matches("/a/**", "a/x") && matches("/a/**", "a/b/c") && !matches("/a/**", "a"));
  HOLDS(matches("**", "a") && matches("**", "a/b"));
  HOLDS(matches("/a/**/b/**/c", "a/b/x/b/c") && !matches("/a/**/b/**/c", "a/x/c"));
  HOLDS(matches("/a**c", "abbc") && !matches("/a**c", "ab/bc"));
  HOLDS(matches("**/**/x", "x"));
}

TEST_CASE("glob: a pattern without a slash before its end matches at any depth") {
  HOLDS(matches(".env", ".env") && matches(".env", "a/b/.env"));
  HOLDS(matches("a/.env", "a/.env") && !matches("a/.env", "b/a/.env"));
  HOLDS(pattern("out/").matches("a/out", true) && !pattern("out/").matches("a/out", false));
  HOLDS(pattern("a/out/").matches("a/out", true) && !pattern("a/out/").matches("b/a/out", true));
}

TEST_CASE("glob: brackets") {
  HOLDS(matches("/[a-c]x", "bx") && !matches("/[a-c]x", "dx"));
  HOLDS(matches("/[!a-c]x", "dx") && !matches("/[!a-c]x", "ax") && matches("/[^a]x", "bx"));
  HOLDS(matches("/[]a]", "]") && matches("/[]a]", "a") && matches("/[a-]", "-") && matches("/[!]]", "a"));
  HOLDS(matches("/[\\]]", "]") && matches("/[a\\-z]", "-") && !matches("/[a\\-z]", "b"));
  HOLDS(matches("/[[:digit:]]*", "7x") && !matches("/[[:digit:]]*", "x7") && matches("/[[:alpha:]_]", "_"));
  HOLDS(matches("/[[:upper:][:space:]]", "Q") && matches("/[[:upper:][:space:]]", " "));
  HOLDS(matches("/[\x80-\xff]", "\xe4") && !matches("/[\x80-\xff]", "a"));
  HOLDS(matches("/[[:]", ":") && matches("/[[:]", "["));
}

TEST_CASE("glob: each class of POSIX takes what it says") {
  using cordon::glob::detail::is_in_class;
  const auto all = [](std::string_view name) {
    std::string out;
    for (int c = 1; c < 128; ++c)
      if (bool known = false; is_in_class(name, static_cast<char>(c), known)) out += static_cast<char>(c);
    return out;
  };
  CHECK(all("digit") == "0123456789");
  CHECK(all("xdigit") == "0123456789ABCDEFabcdef");
  CHECK(all("lower") == "abcdefghijklmnopqrstuvwxyz");
  CHECK(all("alpha") == all("upper") + all("lower"));
  CHECK(all("alnum") == all("digit") + all("alpha"));
  CHECK(all("blank") == "\t ");
  CHECK(all("space") == "\t\n\v\f\r ");
  CHECK(all("punct").size() == 32);
  CHECK(all("graph").size() == all("alnum").size() + 32);
  CHECK(all("print").size() == all("graph").size() + 1);
  CHECK(all("cntrl").size() == 32);
  CHECK(all("word").empty());
}

TEST_CASE("glob: a backslash takes away the meaning of what follows") {
  HOLDS(matches("/\\*", "*") && !matches("/\\*", "a") && matches("/a\\?", "a?") && matches("/\\[x", "[x"));
  HOLDS(matches("/\\\\[a]", "\\a") && matches("\\!x", "!x"));
}

TEST_CASE("glob: what is no pattern says why") {
  HOLDS(pattern("").why() == flaw::empty && pattern("/").why() == flaw::empty && pattern("./").why() == flaw::empty);
  HOLDS(pattern("~/").why() == flaw::empty && pattern("!a").why() == flaw::negated);
  HOLDS(pattern(std::string_view("a\0b", 3)).why() == flaw::nul);
  HOLDS(pattern("../a").why() == flaw::dots && pattern("a/..").why() == flaw::dots &&
        pattern("a..").why() == flaw::none);
  HOLDS(pattern("[a").why() == flaw::bracket && pattern("[a/b]").why() == flaw::bracket &&
        pattern("[]").why() == flaw::bracket);
  HOLDS(pattern("[[:word:]]").why() == flaw::bracket && pattern("\\[a").why() == flaw::none);
  HOLDS(pattern("a\\").why() == flaw::escape && pattern("a\\/b").why() == flaw::escape &&
        pattern("\\\\[").why() == flaw::bracket);
  CHECK(pattern(std::string(62 * 2, '/').replace(0, 0, "a")).why() == flaw::none);
  std::string deep;
  for (int i = 0; i < 62; ++i) deep += "/a";
  CHECK(pattern(deep).why() == flaw::none);
  CHECK(pattern(deep).matches(std::string_view(deep).substr(1)));
  CHECK(pattern(deep + "/a").why() == flaw::too_many);
  for (int i = 0; i <= static_cast<int>(flaw::too_many); ++i)
    for (int j = 0; j < i; ++j) CHECK(explain(static_cast<flaw>(i)) != explain(static_cast<flaw>(j)));
}

TEST_CASE("glob: where the search begins") {
  HOLDS(pattern("/a/b/*.c").from() == start::root && pattern("~/x").from() == start::home);
  HOLDS(pattern("~x").from() == start::base && pattern("a/b").from() == start::base);
  HOLDS(pattern("/a/b/*.c").plain_components() == 2 && pattern("/a/b").plain_components() == 1);
  HOLDS(pattern(".env").plain_components() == 0 && pattern("a/?/b/c").plain_components() == 1);
  constexpr pattern p("/a/b/*.c");
  HOLDS(p.is_match(p.after(p.before(2), "x.c"), false) && p.after(p.before(2), "x.d") == 0);
}

} // namespace policy_glob_test
