// SPDX-License-Identifier: BSL-1.0
#include <cordon/run/project.hpp>

#include "scratch.hpp"

#include <doctest/doctest.h>

using namespace cordon;
namespace fs = std::filesystem;

namespace {

/// All files belong to one user, except for one.
std::string foreign;
long long owner_here(const std::string& place) { return place == foreign ? 1 : fs::exists(place) ? 7 : -1; }
std::string no_home(long long) { return {}; }

project_facts facts_here(std::vector<std::string> homes = {}, std::optional<long long> caller = 7) {
  foreign.clear();
  return {std::move(homes), owner_here, caller, no_home, platform::linux_};
}

project found_from(const fs::path& dir, std::vector<std::string> homes = {}) {
  return find_project(dir.string(), facts_here(std::move(homes)));
}

} // namespace

TEST_CASE("project: a hidden directory of a home is a project only with a marker file") {
  const scratch s;
  s.dir("home/.ssh"), s.dir("home/.config/tool"), s.dir("home/.config/editor/.git"), s.dir("home/work");
  const auto found = [&](const std::string& place) {
    return find_project(s.at(place), {.homes = {s.at("home")}, .owner = [](const std::string&) { return 1LL; }}).root;
  };
  for (const char* place : {"home/.ssh", "home/.config", "home/.config/tool"}) CHECK(found(place).empty());
  CHECK(found("home/.config/editor") == s.at("home/.config/editor"));
  CHECK(found("home/work") == s.at("home/work"));
}

TEST_CASE("project: the root is the nearest repository, before any project file") {
  const scratch s;
  s.dir("a/.git");
  s.file("a/b/meson.build");
  s.file("a/b/c/meson.build");
  const project p = found_from(s.dir("a/b/c/d"));
  CHECK(p.root == s.at("a"));
  CHECK(p.why == "has .git");
  CHECK(p.places == std::vector{s.at("a")});
}

TEST_CASE("project: the nearest of nested project files opens the project, unless an outer one lists it") {
  const scratch s;
  s.file("a/meson.build", "project('a')\n");
  s.file("a/b/meson.build");
  s.dir("a/b/c");
  CHECK(found_from(s.top / "a/b/c").root == s.at("a/b"));
  CHECK(found_from(s.top / "a/b/c").why == "has meson.build");
  s.file("a/meson.build", "project('a')\nsubdir('b')\n");
  CHECK(found_from(s.top / "a/b/c").root == s.at("a"));
  CHECK(found_from(s.top / "a/b/c").why == "its meson.build lists b");
  s.file("meson.build", "project('top')\nsubdir('a')\n");
  CHECK(found_from(s.top / "a/b/c").root == s.top.string());
  CHECK(found_from(s.top / "a/b/c").why == "its meson.build lists a");
}

TEST_CASE("project: a workspace lists members below plain directories, of its own build system alone") {
  const scratch s;
  s.file("w/Cargo.toml", "[workspace]\nmembers = [\"crates/*\"]\n");
  s.file("w/crates/x/Cargo.toml");
  s.file("w/crates/y/package.json");
  s.file("w/harn.toml");
  s.file("w/inner/harn.toml");
  CHECK(found_from(s.dir("w/crates/x/src")).root == s.at("w"));
  CHECK(found_from(s.dir("w/crates/y/src")).root == s.at("w/crates/y"));
  CHECK(found_from(s.top / "w/inner").root == s.at("w/inner"));
  CHECK(found_from(s.top / "w/crates").root == s.at("w"));
}

TEST_CASE("project: a directory without a marker file is the project itself") {
  const scratch s;
  const project p = found_from(s.dir("plain/x"));
  CHECK(p.root == s.at("plain/x"));
  CHECK_FALSE(p.why.empty());
}

TEST_CASE("project: homes, their parents, /, system and shared directories are no projects") {
  const scratch s;
  const fs::path home = s.dir("around/home");
  s.dir("around/home/.git");
  s.dir("around/.git");
  for (const fs::path& dir : {home, s.top / "around"}) {
    const project p = found_from(dir, {"", home.string()});
    CHECK(p.root.empty());
    CHECK(p.places.empty());
    CHECK(p.why.find("home") != std::string::npos);
  }
  CHECK(found_from(s.dir("around/home/work"), {home.string()}).root == s.at("around/home/work"));
  fs::create_directory_symlink(home, s.top / "linked");
  CHECK(found_from(home, {s.at("linked")}).root.empty());
  CHECK(found_from(s.top / "linked", {home.string()}).root.empty());
  for (const char* dir : {"/", "/etc", "/usr", "/tmp", "/proc", "/var"}) {
    CAPTURE(dir);
    const project p = found_from(dir);
    CHECK(p.root.empty());
    CHECK(p.why.starts_with(std::string(dir) + " "));
  }
  CHECK(found_from("/usr/bin").why.find("lies beneath a system directory") != std::string::npos);
}

TEST_CASE("project: for root, the home of the directory's owner is no project") {
  const scratch s;
  static std::string accounts;
  accounts = s.dir("accounts/u").string();
  project_facts f = facts_here({}, std::nullopt);
  f.home = [](long long of) { return of == 7 ? accounts : std::string(); };
  CHECK(find_project(accounts, f).root.empty());
  CHECK(find_project(s.at("accounts"), f).root.empty());
  f.home = nullptr;
  CHECK(find_project(accounts, f).root == accounts);
}

TEST_CASE("project: a directory that every user writes to ends the search") {
  const scratch s;
  s.dir("shared/.git");
  fs::permissions(s.dir("shared"), fs::perms::all | fs::perms::sticky_bit);
  CHECK(found_from(s.top / "shared").root.empty());
  CHECK(found_from(s.dir("shared/mine")).root == s.at("shared/mine"));
}

TEST_CASE("project: the search stops at another owner's directory and ignores that owner's marker files") {
  const scratch s;
  s.file("a/meson.build", "subdir('mine')\n");
  s.file("a/mine/meson.build");
  const project_facts f = facts_here();
  CHECK(find_project(s.at("a/mine"), f).root == s.at("a"));
  foreign = s.at("a");
  CHECK(find_project(s.at("a/mine"), f).root == s.at("a/mine"));
  foreign = s.at("a/meson.build");
  CHECK(find_project(s.at("a/mine"), f).root == s.at("a/mine"));
  foreign = s.at("a/mine");
  CHECK(find_project(s.at("a/mine"), f).root.empty());
  CHECK(find_project(s.at("a/mine"), f).why.find("belongs to another user") != std::string::npos);
  // Root may become the owner.
  CHECK(find_project(s.at("a/mine"), facts_here({}, std::nullopt)).root == s.at("a"));
  s.dir("r/.git");
  foreign = s.at("r/.git");
  CHECK(find_project(s.dir("r/x").string(), f).root == s.at("r/x"));
}

TEST_CASE("project: a missing directory is refused") { CHECK_THROWS_AS((void)found_from("/nowhere/at/all"), refused); }

TEST_CASE("project: a worktree's repository is granted, unless it contains a home or system directory") {
  const scratch s;
  const auto worktree = [&](const std::string& common, const std::string& root) {
    s.file(common + "/HEAD", "ref: refs/heads/main\n");
    s.dir(common + "/objects");
    s.dir(common + "/refs");
    s.file(common + "/worktrees/w/HEAD", "x\n");
    s.file(common + "/worktrees/w/commondir", "../..\n");
    s.file(common + "/worktrees/w/gitdir", s.at(root + "/.git") + "\n");
    s.file(root + "/.git", "gitdir: " + s.at(common + "/worktrees/w") + "\n");
    return s.at(root);
  };
  const std::string work = worktree("main/.git", "work");
  const std::vector<std::string> both{work, s.at("main/.git/worktrees/w"), s.at("main/.git")};
  CHECK(found_from(work).places == both);
  CHECK(found_from(work, {s.dir("main/.git/home").string()}).places == std::vector{work});
  fs::create_directory_symlink(s.top / "main/.git/home", s.top / "linked");
  CHECK(found_from(work, {s.at("linked")}).places == std::vector{work});
  const std::string inside = worktree("around", "around/deep/work");
  CHECK(found_from(inside).places == std::vector{inside});
  const project_facts f = facts_here();
  foreign = s.at("main/.git");
  CHECK(find_project(work, f).places == std::vector{work});
}
