// SPDX-License-Identifier: BSL-1.0
#include <cordon/format/lower.hpp>
#include <cordon/run/project/settings.hpp>

#include "git_call.hpp"
#include "scratch.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

using namespace cordon;

namespace run_project_settings {

using list = std::vector<std::string>;

project_settings settings_in(const scratch& s, const std::string& root) {
  return find_settings({s.at(root), "", true, {s.at(root)}});
}

/// What is protected at a path of the scratch directory: `+` an existing file, `-` nothing, else the placeholder.
std::string at(const project_settings& all, const std::string& place) {
  const auto s =
      std::find_if(all.places.begin(), all.places.end(), [&](const auto& each) { return each.place == place; });
  if (s == all.places.end()) return "-";
  constexpr const char* forms[]{"+", "directory", "file", "here"};
  return forms[static_cast<std::size_t>(s->missing)];
}

TEST_CASE("settings: the rows of the table are sorted, and each has an effect and a source") {
  const auto check = [](auto& rows) {
    CHECK(std::is_sorted(std::begin(rows), std::end(rows),
                         [](const setting_row& a, const setting_row& b) { return a.path < b.path; }));
    for (const setting_row& row : rows) CHECK_FALSE((row.effect.empty() || row.source.empty() || row.path.empty()));
  };
  check(project_setting_rows);
  check(repository_setting_rows);
  check(worktree_setting_rows);
  check(new_repository_rows);
}

TEST_CASE("settings: without a project there are none") {
  CHECK(find_settings({}).places.empty());
  CHECK(find_settings({}).root.empty());
}

TEST_CASE("settings: a directory that is no repository cannot become one") {
  const scratch s;
  s.file("app/package.json", "{}");
  s.dir("app/.vscode");
  const project_settings all = settings_in(s, "app");
  CHECK(all.root == s.at("app"));
  CHECK(at(all, s.at("app/.git")) == "directory");
  CHECK(at(all, s.at("app/HEAD")) == "directory");
  CHECK(at(all, s.at("app/.vscode")) == "+");
  CHECK(at(all, s.at("app/.envrc")) == "directory");
  CHECK(at(all, s.at("app/.vimrc")) == "-");
  CHECK(all.open.empty());
}

TEST_CASE("settings: a directory that nothing marks as a project may become a repository") {
  const scratch s;
  s.dir("new");
  const project_settings all = find_settings({s.at("new"), "", false, {s.at("new")}});
  CHECK(at(all, s.at("new/.git")) == "-");
  CHECK(at(all, s.at("new/.vscode")) == "directory");
}

TEST_CASE("settings: the place of a repository stays open in a Go module") {
  const scratch s;
  s.file("app/go.mod", "module a");
  const project_settings all = settings_in(s, "app");
  CHECK(at(all, s.at("app/.git")) == "-");
  CHECK(all.open == list{s.at("app/.git")});
}

TEST_CASE("settings: those of a repository, and of what its configuration names") {
  const scratch s;
  git(s, "init app");
  git(s, "-C app config core.hooksPath .githooks/all");
  git(s, "-C app config include.path ../shared.gitconfig");
  git(s, "-C app config --add include.path /outside");
  git(s, "-C app config --add include.path '~/home'");
  s.file("app/.gvimrc", "x");
  const project_settings all = settings_in(s, "app");
  CHECK(at(all, s.at("app/.git")) == "-");
  CHECK(at(all, s.at("app/HEAD")) == "-");
  CHECK(at(all, s.at("app/.git/config")) == "+");
  CHECK(at(all, s.at("app/.git/hooks")) == "+");
  CHECK(at(all, s.at("app/.git/commondir")) == "here");
  CHECK(at(all, s.at("app/.git/config.worktree")) == "file");
  CHECK(at(all, s.at("app/.git/info/attributes")) == "file");
  CHECK(at(all, s.at("app/.githooks")) == "directory"); // the first missing directory on the way
  CHECK(at(all, s.at("app/shared.gitconfig")) == "file");
  CHECK(at(all, s.at("app/.gvimrc")) == "+");
  for (const project_setting& p : all.places) CHECK(path::covers(s.at("app"), p.place));
  CHECK(std::is_sorted(all.places.begin(), all.places.end(),
                       [](const auto& a, const auto& b) { return path::order(a.place, b.place) < 0; }));
}

TEST_CASE("settings: a hooks directory that exists is protected, and so is what is inside a protected one") {
  const scratch s;
  git(s, "init app");
  s.dir("app/.husky/_");
  git(s, "-C app config core.hooksPath .husky/_");
  const project_settings all = settings_in(s, "app");
  CHECK(at(all, s.at("app/.husky")) == "+");
  CHECK(at(all, s.at("app/.husky/_")) == "-"); // inside the one before
}

TEST_CASE("settings: worktrees and submodules have those of their repositories") {
  const scratch s;
  git(s, "init part");
  git(s, "-C part commit --allow-empty -m first");
  git(s, "init main");
  git(s, "-C main submodule add ../part lib/part");
  git(s, "-C main commit -m first");
  git(s, "-C main worktree add ../tree");
  s.dir("main/lib/part/.vscode");

  const project_settings main = settings_in(s, "main");
  for (const char* file : {"config", "hooks"})
    CHECK(at(main, s.at("main/.git/modules/lib/part/" + std::string(file))) == "+");
  CHECK(at(main, s.at("main/.git/modules/lib/part/commondir")) == "here");
  CHECK(at(main, s.at("main/.git/worktrees/tree/commondir")) == "+");
  CHECK(at(main, s.at("main/.git/worktrees/tree/config.worktree")) == "-");
  CHECK(at(main, s.at("main/lib/part/.git")) == "+");
  CHECK(at(main, s.at("main/lib/part/.vscode")) == "+");
  CHECK(at(main, s.at("main/lib/part/.envrc")) == "-");

  const project_settings tree = settings_in(s, "tree");
  CHECK(at(tree, s.at("tree/.git")) == "+");
  CHECK(at(tree, s.at("main/.git/config")) == "+");
  CHECK(at(tree, s.at("main/.git/hooks")) == "+");
  CHECK(at(tree, s.at("main/.git/worktrees/tree/commondir")) == "+");
  CHECK(at(tree, s.at("main/.git/worktrees/tree/config.worktree")) == "file");

  git(s, "-C main config extensions.worktreeConfig true");
  CHECK(at(settings_in(s, "main"), s.at("main/.git/worktrees/tree/config.worktree")) == "file");
}

TEST_CASE("settings: a submodule may hold its repository itself") {
  const scratch s;
  git(s, "init main");
  git(s, "init main/old");
  git(s, "-C main/old commit --allow-empty -m first");
  git(s, "-C main submodule add ./old old");
  const project_settings all = settings_in(s, "main");
  CHECK(at(all, s.at("main/old/.git/config")) == "+");
  CHECK(at(all, s.at("main/old/.git/hooks")) == "+");
  CHECK(at(all, s.at("main/old/.git/commondir")) == "here");
}

TEST_CASE("settings: a link is open, and the file behind it is protected inside the project alone") {
  const scratch s;
  git(s, "init app");
  s.file("app/tools/editor/tasks.json", "{}");
  s.dir("elsewhere");
  std::filesystem::create_symlink("tools/editor", s.top / "app/.vscode");
  std::filesystem::create_symlink(s.top / "elsewhere", s.top / "app/.idea");
  std::filesystem::create_symlink("nothing", s.top / "app/.envrc");
  const project_settings all = settings_in(s, "app");
  CHECK(all.open == list{s.at("app/.envrc"), s.at("app/.idea"), s.at("app/.vscode")});
  CHECK(at(all, s.at("app/tools/editor")) == "+");
  for (const char* link : {"app/.vscode", "app/.idea", "app/.envrc", "elsewhere"}) CHECK(at(all, s.at(link)) == "-");
}

TEST_CASE("settings: a `.git` that is a link to a repository leaves its name open") {
  const scratch s;
  git(s, "init real");
  s.dir("app");
  std::filesystem::create_symlink(s.top / "real/.git", s.top / "app/.git");
  CHECK(settings_in(s, "app").open == list{s.at("app/.git")});
}

TEST_CASE("settings: repositories beyond the bound are open") {
  const scratch s;
  git(s, "init app");
  for (int i = 10; i < 50; ++i) {
    const std::string module = "app/.git/modules/m" + std::to_string(i);
    s.file(module + "/HEAD", "ref: refs/heads/main\n");
    s.dir(module + "/objects"), s.dir(module + "/refs");
  }
  const project_settings all = settings_in(s, "app");
  CHECK(at(all, s.at("app/.git/modules/m10/config")) == "file");
  CHECK_FALSE(all.open.empty());
}

TEST_CASE("protected_settings: a policy lets them be read and executed at most") {
  format::document d;
  d.presets.emplace();
  d.files.emplace();
  d.files->push_back({"/srv/app", verb::write});
  d.files->push_back({"/srv/app/.git/config", verb::hide});
  d.workspace = d.files;
  const loaded_policy p = format::lower_lexically(d, {});
  const loaded_policy to = with_protected(p, {{"/srv/app/.git/config"}, {"/srv/app/.git/hooks"}, {"/srv/other"}});
  const auto rights_at = [&](std::string_view place) { return rights::from_bits(to.files().lookup(place)); };
  CHECK(to <= p);
  CHECK(rights_at("/srv/app/.git/hooks/pre-commit") == verb::run);
  CHECK(rights_at("/srv/app/.git/config") == verb::hide);
  CHECK(rights_at("/srv/app/.git/index") == verb::write);
  CHECK(rights_at("/srv/other") == rights());
  CHECK(rights::from_bits(to.workspace().lookup("/srv/app/.git/hooks")) == verb::run);
  CHECK(with_protected(p, {}) == p);
}

} // namespace run_project_settings
