// SPDX-License-Identifier: BSL-1.0
#include <cordon/run/project/repository.hpp>

#include "git_call.hpp"
#include "scratch.hpp"

#include <sys/stat.h>

#include <doctest/doctest.h>

using namespace cordon;
namespace fs = std::filesystem;

namespace {

using list = std::vector<std::string>;

/// The files that git creates in a directory.
void make_repository(const scratch& s, const std::string& dir) {
  s.file(dir + "/HEAD", "ref: refs/heads/main\n");
  s.dir(dir + "/objects");
  s.dir(dir + "/refs");
}

void make_worktree(const scratch& s, const std::string& common, const std::string& root) {
  make_repository(s, common);
  s.file(common + "/worktrees/w/HEAD", "x\n");
  s.file(common + "/worktrees/w/commondir", "../..\n");
  s.file(common + "/worktrees/w/gitdir", s.at(root) + "/.git\n");
  s.file(root + "/.git", "gitdir: " + s.at(common) + "/worktrees/w\n");
}

} // namespace

TEST_CASE("repository: the repositories of worktrees and submodules are found") {
  const scratch s;
  git(s, "init main");
  git(s, "-C main commit --allow-empty -m first");
  git(s, "-C main worktree add ../tree");
  CHECK(repository_places(s.top / "main").empty());
  CHECK(repository_places(s.top / "tree") == list{s.at("main/.git/worktrees/tree"), s.at("main/.git")});

  git(s, "clone --bare main bare.git");
  git(s, "-C bare.git worktree add ../bare");
  CHECK(repository_places(s.top / "bare") == list{s.at("bare.git/worktrees/bare"), s.at("bare.git")});

  git(s, "clone main part");
  git(s, "-C main submodule add ../part lib/part");
  git(s, "-C main commit -m second");
  CHECK(repository_places(s.top / "main/lib/part") == list{s.at("main/.git/modules/lib/part")});
  git(s, "-C main/lib/part worktree add ../../../loose");
  CHECK(repository_places(s.top / "loose") ==
        list{s.at("main/.git/modules/lib/part/worktrees/loose"), s.at("main/.git/modules/lib/part")});
  git(s, "-C main worktree add ../second");
  git(s, "-C second submodule update --init");
  CHECK(repository_places(s.top / "second/lib/part") == list{s.at("main/.git/worktrees/second/modules/lib/part")});
}

TEST_CASE("repository: a repository is accepted only if it refers back to the worktree") {
  const scratch s;
  make_worktree(s, "main/.git", "work");
  CHECK(repository_places(s.top / "work") == list{s.at("main/.git/worktrees/w"), s.at("main/.git")});
  s.file("main/.git/worktrees/w/gitdir", s.at("other/.git") + "\n");
  CHECK(repository_places(s.top / "work").empty());
  // A project that names a directory of secrets as its repository gains nothing.
  s.file("keys/HEAD", "x");
  s.file("evil/.git", "gitdir: ../keys\n");
  CHECK(repository_places(s.top / "evil").empty());
}

TEST_CASE("repository: the common directory must be a repository at the named path") {
  const scratch s;
  make_worktree(s, "main/.git", "work");
  s.file("main/.git/worktrees/w/commondir", "../../..\n");
  CHECK(repository_places(s.top / "work").empty());
  s.file("main/.git/worktrees/w/commondir", "../..\n");
  fs::remove(s.top / "main/.git/objects");
  CHECK(repository_places(s.top / "work").empty());
}

TEST_CASE("repository: a .git file that the project wrote grants nothing outside") {
  const scratch s;
  s.file("evil/.real/x/HEAD", "ref: x\n");
  s.file("evil/.real/x/gitdir", "../../.git\n");
  s.file("evil/.real/x/commondir", "../../..\n");
  s.file("evil/.git", "gitdir: .real/x\n");
  CHECK(repository_places(s.top / "evil").empty());
}

TEST_CASE("repository: a submodule's repository lies among the modules of another one") {
  const scratch s;
  make_repository(s, "main/.git");
  make_repository(s, "main/.git/modules/part");
  s.file("main/.git/modules/part/config", "[core]\n\tworktree = ../../../part\n");
  s.file("main/part/.git", "gitdir: ../.git/modules/part\n");
  CHECK(repository_places(s.top / "main/part") == list{s.at("main/.git/modules/part")});
  make_repository(s, "elsewhere");
  s.file("elsewhere/config", "[core]\n\tworktree = ../main/part\n");
  s.file("main/part/.git", "gitdir: ../../elsewhere\n");
  CHECK(repository_places(s.top / "main/part").empty());
}

TEST_CASE("repository: only small regular files are opened") {
  const scratch s;
  make_worktree(s, "main/.git", "work");
  for (const char* name : {"work/.git", "main/.git/worktrees/w/HEAD", "main/.git/worktrees/w/gitdir",
                           "main/.git/worktrees/w/commondir", "main/.git/HEAD"}) {
    CAPTURE(name);
    const fs::path file = s.top / name, kept = s.top / "kept";
    fs::rename(file, kept);
    REQUIRE(::mkfifo(file.c_str(), 0600) == 0);
    CHECK(repository_places(s.top / "work").empty());
    fs::remove(file);
    fs::create_symlink("/dev/zero", file);
    CHECK(repository_places(s.top / "work").empty());
    fs::remove(file);
    fs::rename(kept, file);
  }
  CHECK(repository_places(s.top / "work").size() == 2);
  std::ofstream(s.top / "work/.git", std::ios::app) << std::string(64 << 10, '\n');
  CHECK(repository_places(s.top / "work").empty());
}
