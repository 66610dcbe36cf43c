// SPDX-License-Identifier: BSL-1.0
/// Finds the repository of a worktree whose `.git` is a file. Such a file comes with the project and may name any
/// directory. So only the layouts of `git worktree add` and `git submodule` are trusted, and only if they point back:
///
///   COMMON/worktrees/NAME      with COMMON a repository, and a file `gitdir` that names the `.git` file
///   REPOSITORY/modules/NAME    itself a repository, whose `core.worktree` is the worktree
#pragma once

#include "../../format/place.hpp"

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

namespace cordon {

namespace detail {

namespace fs = std::filesystem;

/// git writes no larger ones.
inline constexpr std::uintmax_t largest_git_file = 64 << 10;

/// Returns: the content of a small regular file; empty for other files: a fifo would block, a device may never end.
/// Reads no more bytes than the file's size: files of procfs have size 0 and may block too.
[[nodiscard]] inline std::string small_file(const fs::path& file) {
  std::error_code ec;
  if (!fs::is_regular_file(file, ec)) return {};
  const std::uintmax_t size = fs::file_size(file, ec);
  if (ec || size == 0 || size > largest_git_file) return {};
  std::string content(static_cast<std::size_t>(size), '\0');
  std::ifstream in(file, std::ios::binary);
  in.rdbuf()->pubsetbuf(nullptr, 0);
  in.read(content.data(), static_cast<std::streamsize>(size));
  content.resize(static_cast<std::size_t>(in.gcount()));
  return content;
}

/// The path that follows `prefix` in a line of the file, resolved; empty if there is none.
[[nodiscard]] inline fs::path named_in(const fs::path& file, std::string_view prefix) {
  const std::string content = small_file(file);
  for (std::string_view rest = content; !rest.empty();) {
    const std::size_t end = rest.find('\n');
    std::string_view line = rest.substr(0, end);
    rest.remove_prefix(end == rest.npos ? rest.size() : end + 1);
    line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
    if (!line.starts_with(prefix)) continue;
    line.remove_prefix(prefix.size());
    line = line.substr(0, line.find_last_not_of(" \t\r") + 1);
    if (line.empty() || line.find('\0') != line.npos) return {};
    std::error_code ec;
    const fs::path real = fs::canonical(file.parent_path() / line, ec); // keeps an absolute line
    return ec ? fs::path() : real;
  }
  return {};
}

[[nodiscard]] inline bool is_repository(const fs::path& dir) {
  std::error_code ec;
  return fs::is_regular_file(dir / "HEAD", ec) && fs::is_directory(dir / "objects", ec) &&
         fs::is_directory(dir / "refs", ec);
}

/// Is a directory below `modules` of a repository, or of one of its worktrees, which holds repositories of submodules?
/// Their names may have several components.
[[nodiscard]] inline bool is_of_submodule(const fs::path& gitdir) {
  std::error_code ec;
  for (fs::path dir = gitdir.parent_path(); dir.has_relative_path(); dir = dir.parent_path())
    if (dir.filename() == "modules" && fs::is_regular_file(dir.parent_path() / "HEAD", ec)) return true;
  return false;
}

} // namespace detail

/// Returns: the paths outside the worktree that git needs of its repository. `root` is resolved. Empty if `.git` is a
/// directory, or a file that is not trusted.
[[nodiscard]] inline std::vector<std::string> repository_places(const std::filesystem::path& root) {
  namespace fs = std::filesystem;
  const fs::path gitdir = detail::named_in(root / ".git", "gitdir: ");
  std::error_code ec;
  if (gitdir.empty() || !fs::is_regular_file(gitdir / "HEAD", ec)) return {};
  if (gitdir.parent_path().filename() == "worktrees") {
    const fs::path common = gitdir.parent_path().parent_path();
    if (detail::named_in(gitdir / "gitdir", "") != root / ".git" || !detail::is_repository(common) ||
        detail::named_in(gitdir / "commondir", "") != common)
      return {};
    return {place_of(gitdir), place_of(common)};
  }
  if (!detail::is_repository(gitdir) || !detail::is_of_submodule(gitdir) ||
      detail::named_in(gitdir / "config", "worktree = ") != root)
    return {};
  return {place_of(gitdir)};
}

} // namespace cordon
