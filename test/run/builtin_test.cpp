// SPDX-License-Identifier: BSL-1.0
#include <cordon/format/lower.hpp>
#include <cordon/question.hpp>
#include <cordon/run/builtin.hpp>

#include "scratch.hpp"

#include <doctest/doctest.h>

using namespace cordon;
namespace fs = std::filesystem;

namespace {

long long same_owner(const std::string&) { return 7; }

std::vector<std::string> places(const fs::path& dir, const std::string& home = {}) {
  return project_places(dir.string(), home, same_owner);
}

} // namespace

TEST_CASE("the root is the nearest repository, else the outermost project file, else the directory itself") {
  const scratch s;
  s.file("a/meson.build");
  s.file("a/b/meson.build");
  const fs::path deep = s.dir("a/b/c");
  CHECK(places(deep) == std::vector{(s.top / "a").string()});
  fs::create_directory(s.top / "a/b/.git");
  CHECK(places(deep) == std::vector{(s.top / "a/b").string()});
  const fs::path plain = s.dir("plain/x");
  CHECK(places(plain) == std::vector{plain.string()});
}

TEST_CASE("home, the root directory and shared temporary directories are no projects") {
  const scratch s;
  const fs::path home = s.dir("home");
  fs::create_directory(home / ".git");
  CHECK_THROWS_AS((void)places(home, home.string()), refused);
  const fs::path inside = s.dir("home/work");
  CHECK(places(inside, home.string()) == std::vector{inside.string()});
  CHECK_THROWS_AS((void)places("/"), refused);
  CHECK_THROWS_AS((void)places("/tmp"), refused);
}

TEST_CASE("the search ends at a directory of another owner") {
  const scratch s;
  s.file("a/meson.build");
  const fs::path mine = s.dir("a/mine");
  static std::string owned;
  owned = mine.string();
  const auto owner = [](const std::string& p) -> long long { return p == owned ? 1 : 2; };
  CHECK(project_places(mine.string(), {}, owner) == std::vector{mine.string()});
}

TEST_CASE("a worktree's repository is granted, unless it lies around what is not to be opened") {
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
  CHECK(places(work) == both);
  CHECK(places(work, s.dir("main/.git/home").string()) == std::vector{work});
  fs::create_directory_symlink(s.top / "main/.git/home", s.top / "linked");
  CHECK(places(work, s.at("linked")) == std::vector{work});
  const std::string inside = worktree("around", "around/deep/work");
  CHECK(places(inside) == std::vector{inside});
  static std::string others;
  others = s.at("main/.git");
  const auto owner = [](const std::string& p) -> long long { return p == others ? 1 : 2; };
  CHECK(project_places(work, {}, owner) == std::vector{work});
}

TEST_CASE("the built-in policy") {
  format::host_facts facts;
  facts.home = "/home/u";
  const loaded_policy p = format::lower_lexically(builtin_worktree({"/srv/job"}), facts);
  CHECK(p.profile == profile::worktree);
  CHECK(p.level == level::process_exec);
  CHECK(p.hosts().is_none());
  CHECK(may_process(p, right::write, "/srv/job/a").allowed());
  CHECK(may_host(p, right::write, "/srv/job/a").allowed());
  CHECK(may_process(p, right::run, "/usr/bin/cc").allowed());
  CHECK_FALSE(may_process(p, right::write, "/usr/bin/cc").allowed());
  CHECK_FALSE(may_process(p, right::read, "/home/u/.ssh/id").allowed());
  CHECK_FALSE(may_process(p, right::read, "/home/u/.netrc").allowed());
  CHECK_FALSE(may_process(p, right::read, "/etc/shadow").allowed());
  CHECK(may_process(p, right::read, "/etc/ssh/ssh_config").allowed());
  CHECK_FALSE(may_process(p, right::read, "/etc/ssh/ssh_host_rsa_key").allowed());
  CHECK(has_variable(p, "PATH").allowed());
  CHECK(has_variable(p, "LC_ALL").allowed());
  CHECK_FALSE(has_variable(p, "GITHUB_TOKEN").allowed());
  CHECK_FALSE(has_variable(p, "LD_PRELOAD").allowed());
}

TEST_CASE("a document takes over the axes that it speaks about, if only to say any") {
  format::document base = builtin_worktree({"/srv/job"});
  format::document d;
  d.say(axis::files);
  format::leave_out_what_is_said(base, d);
  CHECK_FALSE(base.files.has_value());
  CHECK(base.workspace.has_value());
  CHECK(base.level == level::process_exec);
  REQUIRE(base.network);
  CHECK(base.network->allowed.view().empty());
}
