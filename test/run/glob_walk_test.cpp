// SPDX-License-Identifier: BSL-1.0
#include "../holds.hpp"
#include "../scratch.hpp"

#include <cordon/format/globs.hpp>
#include <cordon/format/lower.hpp>
#include <cordon/run/globs/glob_walk.hpp>
#include <cordon/run/globs/globs.hpp>

#include <algorithm>

using namespace cordon;

namespace {

struct tree : scratch {
  explicit tree(std::initializer_list<const char*> files) {
    for (const char* name : files) file(name);
  }
  /// The matches beneath it, relative to it, sorted.
  [[nodiscard]] std::string found(std::initializer_list<std::string_view> patterns, std::size_t most = 100) const {
    std::vector<format::glob_search> wanted;
    for (const std::string_view text : patterns) wanted.push_back({glob::pattern(text), 0});
    std::vector<std::string> all;
    const format::found_match note = [&](std::size_t n, std::string place) {
      all.push_back(std::to_string(n) + place.substr(top.string().size()));
    };
    cordon::detail::glob_walk(
        wanted, note, [](const std::string&) { return false; }, most)
        .search(top.string());
    std::sort(all.begin(), all.end());
    std::string text;
    for (const std::string& one : all) text += (text.empty() ? "" : " ") + one;
    return text;
  }
};

} // namespace

TEST_CASE("glob_walk: one search finds what several patterns match") {
  const tree t{".env", "a/.env", "a/b/.env", "a/b/x.c", "y.c"};
  CHECK(t.found({".env"}) == "0/.env 0/a/.env 0/a/b/.env");
  CHECK(t.found({"a/*/.env", "*.c"}) == "0/a/b/.env 1/a/b/x.c 1/y.c");
  CHECK(t.found({"b/", "/nothing"}) == "0/a/b");
}

TEST_CASE("glob_walk: links may match, but are not followed") {
  const tree t{"a/.env"};
  std::filesystem::create_directory_symlink("a", t.at("link"));
  std::filesystem::create_symlink("a/.env", t.at("b.env"));
  CHECK(t.found({"*.env"}) == "0/a/.env 0/b.env");
  CHECK(t.found({"l*"}) == "0/link");
  CHECK(t.found({"l*/"}).empty());
}

TEST_CASE("glob_walk: a search beyond the limit is refused") {
  const tree t{"a/1", "a/2", "a/3"};
  CHECK(t.found({"a/*"}, 4) == "0/a/1 0/a/2 0/a/3");
  CHECK_THROWS_AS((void)t.found({"a/*"}, 3), refused);
}

TEST_CASE("globs: an expanded document keeps its grants, and several patterns give the least rights") {
  format::host_facts facts;
  facts.base = "/w";
  facts.find_matches = [](const std::string& top, const std::vector<format::glob_search>& wanted,
                          const format::found_match& found) {
    for (std::size_t n = 0; n < wanted.size(); ++n)
      for (const char* name : {"a", "b", "c"}) found(n, top + "/" + name);
  };
  format::document d;
  d.files.emplace();
  d.files->push_back({"/w/b", verb::everything});
  for (const auto& [text, allowed] : {std::pair("*", verb::read), std::pair("[a-z]", verb::run)}) {
    format::glob_grant& g = d.globs.emplace_back(format::glob_grant{axis_id::files, allowed});
    CHECK(format::read_glob(text, facts, g).empty());
  }
  const format::document all = format::with_globs_expanded(d, facts);
  REQUIRE(all.files->size() == 3);
  CHECK((*all.files)[0].allowed == verb::read);
  CHECK((*all.files)[1].allowed == verb::everything);
  const std::vector<matched_glob> told = globs_of(all);
  REQUIRE(told.size() == 2);
  CHECK(told[0].places == 3);
  std::vector<reported_gap> gaps;
  state_later(gaps, told);
  state_later(gaps, told);
  REQUIRE(gaps.size() == 2);
  CHECK(gaps[1].id == "files.later:[a-z]");
  CHECK(gaps[0].kind == gap_kind::unenforced);
}

TEST_CASE("globs: patterns without a match still make a list") {
  format::document d;
  d.files.emplace();
  format::host_facts facts;
  facts.base = "/w";
  CHECK(format::read_glob("*.x", facts, d.globs.emplace_back(format::glob_grant{axis_id::files, verb::hide})).empty());
  const format::document all = format::with_globs_expanded(d, facts);
  CHECK(all.files->size() == 1);
  CHECK(!format::lower_lexically(d, facts).files().empty());
}
