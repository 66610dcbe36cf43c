// SPDX-License-Identifier: BSL-1.0
/// The policy of `cordon run` when nobody gives one: the worktree around the current directory may be written, common
/// programs may be run, and that is all.
#pragma once

#include "../format/document.hpp"
#include "../format/place.hpp"
#include "repository.hpp"
#include "resolve.hpp"

#include <algorithm>
#include <iterator>

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

/// Directories that everybody writes to.
inline constexpr std::string_view shared_places[]{"/tmp", "/var/tmp", "/dev/shm"};

/// May a repository that a project's own file names be opened with the project? Never one around the project, home or a
/// directory that everybody writes to.
[[nodiscard]] inline bool may_be_repository(const fs::path& dir, const fs::path& root, const fs::path& home) {
  std::error_code ec;
  const auto around = [&](const fs::path& place) {
    return path::covers(place_of(dir), place_of(place)) ||
           path::covers(place_of(dir), place_of(fs::weakly_canonical(place, ec)));
  };
  return may_be_root(dir, home) && !around(root) && (home.empty() || !around(home)) &&
         std::none_of(std::begin(shared_places), std::end(shared_places), around);
}

} // namespace detail

/// Who owns what is at a place, as the shim says it: directories of another owner are not taken for a project's root.
using owner_of = long long (*)(const std::string&);

/// The places of the project around a directory: its root first, then what a worktree's `.git` file points to. The
/// root is the nearest directory with `.git`, else the outermost with a project file, else the directory itself.
/// Throws `refused` where that would be the root directory, home, or a shared temporary directory.
[[nodiscard]] inline std::vector<std::string> project_places(const std::string& directory, const std::string& home,
                                                             owner_of owner) {
  namespace fs = std::filesystem;
  std::error_code missing;
  const fs::path start = fs::canonical(directory, missing), at_home = path_at(home);
  if (missing) throw refused(directory + ": " + missing.message());
  const long long mine = owner(place_of(start));
  fs::path git, outermost;
  for (fs::path dir = start;; dir = dir.parent_path()) {
    if (!detail::may_be_root(dir, at_home) || owner(place_of(dir)) != mine) break;
    std::error_code ec;
    if (git.empty() && fs::exists(dir / ".git", ec)) git = dir;
    for (const std::string_view f : detail::project_files)
      if (fs::exists(dir / f, ec)) outermost = dir;
    if (dir == dir.parent_path()) break;
  }
  const fs::path root = !git.empty() ? git : !outermost.empty() ? outermost : start;
  if (!detail::may_be_root(root, at_home))
    throw refused(root.string() +
                  " is no directory to be opened as a whole: change into a project, or name one with --workspace DIR");
  std::vector<std::string> places{place_of(root)};
  const std::vector<std::string> repository = repository_places(root);
  const auto believed = [&](const std::string& dir) {
    return owner(dir) == mine && detail::may_be_repository(path_at(dir), root, at_home);
  };
  if (std::all_of(repository.begin(), repository.end(), believed))
    places.insert(places.end(), repository.begin(), repository.end());
  return places;
}

/// The built-in worktree policy over these places, as a document, so that options can edit it.
[[nodiscard]] inline format::document builtin_worktree(const std::vector<std::string>& places,
                                                       platform on = platform::linux_) {
  format::document d;
  d.profile = profile::worktree;
  d.level = level::process_exec;
  d.network.emplace();
  d.sockets.emplace();
  d.workspace.emplace();
  for (const std::string& p : places) d.workspace->push_back({p, verb::write});
  d.files = d.workspace;
  pass_basic_variables(d.environment.emplace(), on);
  return d;
}

} // namespace cordon
