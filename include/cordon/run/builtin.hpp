// SPDX-License-Identifier: BSL-1.0
/// The policy of `cordon run` when nobody gives one: the worktree around the current directory may be written, common
/// programs may be run, and that is all.
#pragma once

#include "../format/document.hpp"
#include "resolve.hpp"

#include <fstream>

namespace cordon {

namespace detail {

namespace fs = std::filesystem;

/// Files that mark the top of a project where there is no version control.
inline constexpr std::string_view project_files[]{"meson.build",  "harn.toml", "CMakeLists.txt", "Cargo.toml",
                                                  "package.json", "go.mod",    "pyproject.toml", "pom.xml"};

/// May this directory be a project's root? Never the root directory, home, or a place that everybody writes to.
[[nodiscard]] inline bool may_be_root(const fs::path& dir, const fs::path& home) {
  std::error_code ec;
  if (dir == dir.root_path() || (!home.empty() && (dir == home || fs::equivalent(dir, home, ec)))) return false;
  return (fs::status(dir, ec).permissions() & fs::perms::sticky_bit) == fs::perms::none;
}

/// The place that a line of a file names after `prefix`, resolved; empty if there is none.
[[nodiscard]] inline fs::path named_in(const fs::path& file, std::string_view prefix) {
  std::ifstream in(file, std::ios::binary);
  for (std::string line; std::getline(in, line);) {
    line.erase(0, std::min(line.find_first_not_of(" \t"), line.size()));
    if (line.compare(0, prefix.size(), prefix) != 0) continue;
    line.erase(0, prefix.size());
    line.erase(line.find_last_not_of(" \t\r") + 1);
    std::error_code ec;
    const fs::path real = fs::canonical(fs::path(line).is_absolute() ? fs::path(line) : file.parent_path() / line, ec);
    return ec || line.empty() ? fs::path() : real;
  }
  return {};
}

/// Is that the repository of the worktree at `root`? A `.git` file comes with the project and may name any directory:
/// only one that points back is believed (a worktree's `gitdir` file, a submodule's `core.worktree`).
[[nodiscard]] inline bool points_back(const fs::path& gitdir, const fs::path& root) {
  if (!fs::exists(gitdir / "HEAD")) return false;
  const fs::path config = named_in(gitdir / "config", "worktree = ");
  return named_in(gitdir / "gitdir", "") == root / ".git" || (!config.empty() && config == root);
}

} // namespace detail

/// Who owns a file, as the shim says it: directories of another owner are not taken for a project's root.
using owner_of = long long (*)(const std::string&);

/// The places of the project around a directory: its root first, then what a worktree's `.git` file points to. The
/// root is the nearest directory with `.git`, else the outermost with a project file, else the directory itself.
/// Throws `refused` where that would be the root directory, home, or a shared temporary directory.
[[nodiscard]] inline std::vector<std::string> project_places(const std::string& directory, const std::string& home,
                                                             owner_of owner) {
  namespace fs = std::filesystem;
  const fs::path start = fs::canonical(directory);
  const long long mine = owner(start.string());
  fs::path git, outermost;
  for (fs::path dir = start;; dir = dir.parent_path()) {
    if (!detail::may_be_root(dir, home) || owner(dir.string()) != mine) break;
    std::error_code ec;
    if (git.empty() && fs::exists(dir / ".git", ec)) git = dir;
    for (const std::string_view f : detail::project_files)
      if (fs::exists(dir / f, ec)) outermost = dir;
    if (dir == dir.parent_path()) break;
  }
  const fs::path root = !git.empty() ? git : !outermost.empty() ? outermost : start;
  if (!detail::may_be_root(root, home))
    throw refused(root.string() +
                  " is no directory to be opened as a whole: change into a project, or name one with --workspace DIR");
  std::vector<std::string> places{root.string()};
  const fs::path gitdir = detail::named_in(root / ".git", "gitdir: ");
  if (gitdir.empty() || owner(gitdir.string()) != mine || !detail::points_back(gitdir, root)) return places;
  places.push_back(gitdir.string());
  const fs::path common = detail::named_in(gitdir / "commondir", "");
  if (!common.empty() && owner(common.string()) == mine && path::covers(common.string(), gitdir.string()) &&
      detail::may_be_root(common, home))
    places.push_back(common.string());
  return places;
}

/// The variables that pass.
inline constexpr std::string_view builtin_environment[]{"PATH", "HOME", "USER", "LOGNAME",   "SHELL",    "LANG",
                                                        "LC_*", "TZ",   "TERM", "COLORTERM", "NO_COLOR", "CI"};

/// The built-in worktree policy over these places, as a document, so that options can edit it.
[[nodiscard]] inline format::document builtin_worktree(const std::vector<std::string>& places) {
  format::document d;
  d.profile = profile::worktree;
  d.level = level::process_exec;
  d.network.emplace();
  d.sockets.emplace();
  d.workspace.emplace();
  for (const std::string& p : places) d.workspace->push_back({p, verb::write});
  d.files = d.workspace;
  d.environment.emplace();
  d.environment->pass.emplace();
  for (const std::string_view name : builtin_environment) d.environment->pass->emplace_back(name);
  return d;
}

} // namespace cordon
