// SPDX-License-Identifier: BSL-1.0
/// Finds the settings of a project on which other programs act by themselves (setting_table.hpp). The built-in policy
/// lets a program write the whole project; if the settings were not protected, a hook of git that the program writes
/// would later run without any policy.
///
///   const project found = find_project("/home/u/app", facts);
///   request.settings = find_settings(found);   // .git/hooks, .git/config, .vscode, ...
#pragma once

#include "../project.hpp"
#include "git_config.hpp"
#include "protected_settings.hpp"
#include "setting_table.hpp"

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace cordon {

namespace detail {

inline constexpr std::size_t most_repositories = 32; ///< repositories of one project whose settings are looked for
inline constexpr int most_name_parts = 8;            ///< components in the name of a submodule

/// The search for the settings of one project.
class settings_search {
public:
  explicit settings_search(const project& of) : root_(path_at(of.root)), is_marked_(of.is_marked) {
    found_.root = of.root;
  }

  /// `go build` fails where anything has the name `.git` and git finds no repository in it.
  [[nodiscard]] project_settings find() {
    for (const setting_row& row : project_setting_rows) add(root_, row.path, row.missing);
    std::error_code ec;
    const fs::file_status git = fs::symlink_status(root_ / ".git", ec);
    if (fs::exists(git)) add_checkout(root_);
    else if (fs::exists(root_ / "go.mod", ec)) found_.open.push_back(place_of(root_ / ".git"));
    else if (is_marked_)
      for (const setting_row& row : new_repository_rows) add(root_, row.path, row.missing);
    return finished();
  }

private:
  /// The settings of a repository that is checked out in a directory, and of its submodules.
  void add_checkout(const fs::path& directory) {
    std::error_code ec;
    const fs::path git = directory / ".git";
    if (!fs::is_directory(fs::symlink_status(git, ec))) {
      add(directory, ".git", placeholder::none);
      const std::vector<std::string> outside = repository_places(directory);
      if (outside.size() > 1) add_worktree(path_at(outside.front()), true);
      if (!outside.empty()) add_repository(path_at(outside.back()), directory);
    } else if (is_repository(git)) add_repository(git, directory);
    for (const std::string& below : submodule_directories(small_file(directory / ".gitmodules")))
      add_submodule(directory / below);
  }

  void add_submodule(const fs::path& directory) {
    std::error_code ec;
    if (fs::canonical(directory, ec) != directory || ec || !fs::exists(directory / ".git", ec)) return;
    if (!is_among_the_first(directory)) return;
    for (const setting_row& row : project_setting_rows) add(directory, row.path, placeholder::none);
    add_checkout(directory);
  }

  void add_repository(const fs::path& repository, const fs::path& checkout) {
    if (!is_among_the_first(repository)) return;
    for (const setting_row& row : repository_setting_rows) add(repository, row.path, row.missing);
    const git_config config(small_file(repository / "config"));
    add_named(config.hooks_path(), checkout, placeholder::directory);
    for (const std::string& file : config.included()) add_named(file, repository, placeholder::file);
    for (const fs::path& worktree : directories_in(repository / "worktrees"))
      add_worktree(worktree, config.has_worktree_files());
    add_modules(repository / "modules", most_name_parts);
  }

  void add_worktree(const fs::path& directory, bool has_file) {
    if (!is_among_the_first(directory)) return;
    for (const setting_row& row : worktree_setting_rows)
      add(directory, row.path, has_file ? row.missing : placeholder::none);
  }

  /// The repositories of submodules below a directory: their names may have several components.
  void add_modules(const fs::path& directory, int parts) {
    if (parts == 0) return;
    for (const fs::path& module : directories_in(directory))
      if (is_repository(module)) add_repository(module, module);
      else add_modules(module, parts - 1);
  }

  /// A file or directory that the configuration names, if it is inside the project.
  void add_named(const std::string& named, const fs::path& around, placeholder missing) {
    if (named.empty() || named.starts_with('~')) return;
    const fs::path there = (around / named).lexically_normal(); // keeps an absolute path
    const fs::path below = there.lexically_relative(root_);
    if (below.empty() || below == "." || *below.begin() == "..") return;
    add(root_, below.generic_string(), missing);
  }

  /// Adds a path below a directory that has no link on the way to it.
  void add(const fs::path& base, std::string_view below, placeholder missing) {
    fs::path place = base;
    const fs::path parts(below);
    for (auto part = parts.begin(); part != parts.end(); ++part) {
      if (part->empty()) continue; // a final slash
      place /= *part;
      std::error_code ec;
      const fs::file_status there = fs::symlink_status(place, ec);
      if (fs::is_symlink(there)) return add_link(place);
      if (fs::exists(there)) continue;
      if (missing == placeholder::none) return;
      const bool last = std::next(part) == parts.end();
      return found_.places.push_back({place_of(place), last ? missing : placeholder::directory});
    }
    found_.places.push_back({place_of(place), placeholder::none});
  }

  /// The file behind a link is protected, if it is inside the project; the link itself can be replaced.
  void add_link(const fs::path& link) {
    found_.open.push_back(place_of(link));
    std::error_code ec;
    const fs::path real = fs::canonical(link, ec);
    if (!ec && real != root_ && path::covers(found_.root, place_of(real)))
      found_.places.push_back({place_of(real), placeholder::none});
  }

  [[nodiscard]] bool is_among_the_first(const fs::path& directory) {
    if (std::find(seen_.begin(), seen_.end(), directory) != seen_.end()) return false;
    if (seen_.size() < most_repositories) return seen_.push_back(directory), true;
    found_.open.push_back(place_of(directory));
    return false;
  }

  [[nodiscard]] static std::vector<fs::path> directories_in(const fs::path& directory) {
    std::vector<fs::path> all;
    std::error_code ec;
    if (!fs::is_directory(fs::symlink_status(directory, ec))) return all;
    for (fs::directory_iterator entry(directory, ec), end; !ec && entry != end && all.size() <= most_repositories;
         entry.increment(ec))
      if (fs::is_directory(entry->symlink_status(ec))) all.push_back(entry->path());
    std::sort(all.begin(), all.end());
    return all;
  }

  [[nodiscard]] project_settings finished() {
    std::vector<project_setting>& all = found_.places;
    std::sort(all.begin(), all.end(),
              [](const project_setting& a, const project_setting& b) { return path::order(a.place, b.place) < 0; });
    std::vector<project_setting> outermost;
    for (project_setting& s : all)
      if (outermost.empty() || !path::covers(outermost.back().place, s.place)) outermost.push_back(std::move(s));
    all = std::move(outermost);
    std::sort(found_.open.begin(), found_.open.end());
    return std::move(found_);
  }

  fs::path root_;
  bool is_marked_;
  project_settings found_;
  std::vector<fs::path> seen_;
};

} // namespace detail

/// The settings of a project, and of the repositories that its own files name: worktrees and submodules. Empty without
/// a project. O(rows, entries of .git/worktrees and .git/modules).
[[nodiscard]] inline project_settings find_settings(const project& of) {
  return of.root.empty() ? project_settings() : detail::settings_search(of).find();
}

} // namespace cordon
