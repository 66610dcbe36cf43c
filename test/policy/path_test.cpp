// SPDX-License-Identifier: BSL-1.0
#include "../holds.hpp"
#include "../vectors.hpp"

#include <cordon/policy/path.hpp>

#include <algorithm>

namespace policy_path_test {

using namespace cordon;

namespace {

/// Has the written path that normal form, and is this normal too?
constexpr bool becomes(std::string_view written, std::string_view wanted) {
  const path::normal n = path::normalize(written, "/srv/job", "/home/u");
  return n && n.view() == wanted && path::is_normal(n.view()) && path::normalize(n.view()).view() == wanted;
}

constexpr path::flaw flaw_of(std::string_view written, std::string_view base = {}, std::string_view home = {}) {
  return path::normalize(written, base, home).why;
}

/// Every path with at most three components of a small set, among them bytes before and after the slash.
std::vector<std::string> small_paths() {
  const std::string parts[]{"a", "b", "a-", "a0", "\xff", "-"};
  std::vector<std::string> all{"/"};
  for (const std::string& x : parts) {
    all.push_back("/" + x);
    for (const std::string& y : parts) {
      all.push_back("/" + x + "/" + y);
      for (const std::string& z : parts) all.push_back("/" + x + "/" + y + "/" + z);
    }
  }
  return all;
}

/// Is `root` the path or one of its parents? Checked by walking up.
bool is_above(const std::string& root, std::string place) {
  for (;; place = path::parent(place)) {
    if (place == root) return true;
    if (place == "/") return false;
  }
}

} // namespace

TEST_CASE("path: every flaw has a name and a sentence of its own") {
  for (int i = 0; i <= static_cast<int>(path::flaw::too_long); ++i)
    for (int j = 0; j < i; ++j) {
      CHECK(name(static_cast<path::flaw>(i)) != name(static_cast<path::flaw>(j)));
      CHECK(explain(static_cast<path::flaw>(i)) != explain(static_cast<path::flaw>(j)));
    }
  HOLDS(name(path::flaw::too_long) == "too_long");
}

TEST_CASE("path: normalize returns the normal form or the flaw") {
  HOLDS(becomes("/", "/"));
  HOLDS(becomes("//a/./b/../c/", "/a/c"));
  HOLDS(becomes("/../..", "/"));
  HOLDS(becomes(".", "/srv/job"));
  HOLDS(becomes("../../../x", "/x"));
  HOLDS(becomes("~", "/home/u"));
  HOLDS(becomes("~/../v", "/home/v"));
  HOLDS(becomes("..a/...", "/srv/job/..a/..."));
  HOLDS(flaw_of("") == path::flaw::empty);
  HOLDS(flaw_of(std::string_view("/a\0b", 4)) == path::flaw::nul);
  HOLDS(flaw_of("a") == path::flaw::no_base);
  HOLDS(flaw_of("a", "srv") == path::flaw::no_base);
  HOLDS(flaw_of("~/a", "/srv") == path::flaw::no_home);
  HOLDS(flaw_of("~u", "/srv", "/home/u") == path::flaw::other_home);
  HOLDS(path::normalize("a").size == 0);
}

TEST_CASE("path: a path may be as long as the kernel accepts, and no longer") {
  const std::string longest = "/" + std::string(path::longest - 1, 'a');
  CHECK(path::normalize(longest).view() == longest);
  CHECK(path::is_normal(longest));
  CHECK(flaw_of(longest + "a") == path::flaw::too_long);
  CHECK(!path::is_normal(longest + "a"));
  CHECK(flaw_of("a", longest) == path::flaw::too_long);
  CHECK(path::normalize(longest + "/..").view() == "/");
  CHECK(path::normalize("/b/." + std::string(10'000, '/')).view() == "/b");
}

TEST_CASE("path: normalize overwrites an earlier result") {
  path::normal n;
  path::normalize("/a/long/path", {}, {}, n);
  path::normalize("", {}, {}, n);
  CHECK(!n);
  path::normalize("/b", {}, {}, n);
  CHECK(n.view() == "/b");
}

TEST_CASE("path: is_normal accepts normal forms alone") {
  HOLDS(path::is_normal("/"));
  HOLDS(path::is_normal("/a/b"));
  HOLDS(path::is_normal("/a/..."));
  HOLDS(!path::is_normal(""));
  HOLDS(!path::is_normal("a"));
  HOLDS(!path::is_normal("//"));
  HOLDS(!path::is_normal("/a/"));
  HOLDS(!path::is_normal("/a//b"));
  HOLDS(!path::is_normal("/a/./b"));
  HOLDS(!path::is_normal("/a/.."));
  HOLDS(!path::is_normal("/a/../b"));
  HOLDS(!path::is_normal("/../b"));
  HOLDS(path::is_normal("/a/.../b"));
  HOLDS(!path::is_normal(std::string_view("/a\0", 3)));
}

TEST_CASE("path: a path covers itself and every path below it") {
  HOLDS(path::covers("/", "/"));
  HOLDS(path::covers("/", "/a"));
  HOLDS(path::covers("/a", "/a"));
  HOLDS(path::covers("/a", "/a/b"));
  HOLDS(!path::covers("/a", "/ab"));
  HOLDS(!path::covers("/a/b", "/a"));
  HOLDS(!path::covers("/a", "/"));
}

TEST_CASE("path: in the order, each subtree is contiguous") {
  HOLDS(path::order("/", "/a") < 0);
  HOLDS(path::order("/a/z", "/a-") < 0);
  HOLDS(path::order("/a", "/\xff") < 0);
  HOLDS(path::order("/a", "/a") == 0);
  std::vector<std::string> all = small_paths();
  std::sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return path::order(a, b) < 0; });
  for (std::size_t i = 0; i < all.size(); ++i) {
    bool inside = true;
    bool together = true;
    for (std::size_t j = 0; j < all.size(); ++j) {
      const bool above = is_above(all[i], all[j]);
      if (path::covers(all[i], all[j]) != above) together = false;
      if ((path::order(all[i], all[j]) < 0) != (i < j)) together = false;
      if (j < i && above) together = false;
      if (j >= i && above && !inside) together = false;
      if (j >= i) inside = above;
    }
    CAPTURE(all[i]);
    CHECK(together);
  }
}

TEST_CASE("path: the parent is the directory that contains the path") {
  HOLDS(path::parent("/a/b") == "/a");
  HOLDS(path::parent("/a") == "/");
  HOLDS(path::parent("/") == "/");
}

TEST_CASE("path: the table of written paths") {
  for (const vectors::row& row : vectors::table("paths.tsv", 25)) {
    const std::string written = row.text("written"), base = row.text("base"), home = row.text("home");
    CAPTURE(row.line());
    CAPTURE(written);
    const path::normal n = path::normalize(written, base, home);
    const std::string result = n ? std::string(n.view()) : "error:" + std::string(name(n.why));
    CHECK(result == row.text("result"));
  }
}

TEST_CASE("path: next_on_the_way returns each ancestor in turn") {
  HOLDS(path::next_on_the_way("/a/b/c", 1) == "/a");
  HOLDS(path::next_on_the_way("/a/b/c", 2) == "/a/b");
  HOLDS(path::next_on_the_way("/a/b/c", 4) == "/a/b/c");
}

} // namespace policy_path_test
