// SPDX-License-Identifier: BSL-1.0
#include <cordon/run/project/git_config.hpp>

#include <doctest/doctest.h>

#include <string>
#include <vector>

using namespace cordon;

namespace run_project_git_config {

using list = std::vector<std::string>;

TEST_CASE("git_config: names of files are read as git reads them") {
  CHECK(git_config("[core]\n\thooksPath = .hooks\n").hooks_path() == ".hooks");
  CHECK(git_config("[CORE] HooksPath=\"a b\" ; comment\n").hooks_path() == "a b");
  CHECK(git_config("[core]\nhooksPath = a\\\nb # c\n").hooks_path() == "ab");
  CHECK(git_config("[core]\nhookspath = one\nhookspath = two\n").hooks_path() == "two");
  CHECK(git_config("[core \"x\"]\neditor = vi\n[remote \"]a[\"]\nhooksPath = no\n").hooks_path().empty());
  CHECK(git_config("# [core]\n;hooksPath = a\n").hooks_path().empty());
  CHECK(git_config("[core]\r\n\thooksPath = .hooks\r\n").hooks_path() == ".hooks");
}

TEST_CASE("git_config: included files, and the extension for worktrees") {
  const git_config c("[include]\npath = ../.gitconfig\npath = second\n[includeIf \"gitdir:~/x/\"]\npath = third\n"
                     "[extensions]\nworktreeConfig = true\n");
  CHECK(c.included() == list{"../.gitconfig", "second", "third"});
  CHECK(c.has_worktree_files());
  CHECK_FALSE(git_config("[extensions]\nworktreeConfig = false\n").has_worktree_files());
  CHECK(git_config("").included().empty());
}

TEST_CASE("git_config: broken text is no setting") {
  for (const char* text :
       {"[", "[core", "[core \"", "]", "=", "[core]\n= x", "\\", "[core]\nhooksPath", "\"", "[]\n[.]"})
    CHECK(git_config(text).hooks_path().empty());
}

TEST_CASE("git_config: directories of submodules stay inside the checkout") {
  CHECK(submodule_directories("[submodule \"a\"]\n\tpath = lib/a\n\turl = ../a\n[submodule \"b\"]\npath=b\n") ==
        list{"lib/a", "b"});
  CHECK(submodule_directories("[submodule \"a\"]\npath = ../out\n[submodule \"b\"]\npath = /etc\n"
                              "[submodule \"c\"]\npath = a/../../b\n")
            .empty());
}

} // namespace run_project_git_config
