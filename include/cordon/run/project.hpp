// SPDX-License-Identifier: BSL-1.0
/// Finds the project for a run in a directory. Its root is the nearest directory with `.git`, else the nearest one with
/// a project file, else the directory itself. If an outer project lists a root with a project file as its member, the
/// outer project's root is used. The root is never a system directory, a home or a directory that contains one, a
/// shared directory, or one of another owner.
///
///   project_facts facts{.homes = {"/home/u"}, .owner = shim::owner, .caller = 1000};
///   find_project("/home/u/app/src", facts)   root /home/u/app, why "has .git"
///   find_project("/etc", facts)              no root, why "/etc is a system directory"
#pragma once

#include "project/member.hpp"
#include "project/place.hpp"
#include "project/repository.hpp"
#include "reasons.hpp"
#include "refused.hpp"

#include <algorithm>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace cordon {

/// Returns: the owner of a file; negative if the file does not exist.
using owner_of = long long (*)(const std::string& place);
/// Returns: the home of an account; empty if unknown.
using home_of = std::string (*)(long long owner);

/// What the search for a project knows about the host.
struct project_facts {
  std::vector<std::string> homes; ///< the caller's homes
  owner_of owner = nullptr;       ///< the owner of a file
  /// The user whose directories count. Left out: the owner of the run's directory, for root, who may become that user.
  std::optional<long long> caller{};
  home_of home = nullptr;             ///< null: no other homes are known
  platform system = platform::linux_; ///< the system whose directories are no projects
};

/// The project around a directory, or why there is none.
struct project {
  std::string root;       ///< empty: no project
  std::string why;        ///< why it is this root, or why there is no project
  bool is_marked = false; ///< a repository or a project file marks it
  /// The root first, then the paths that a worktree's `.git` file refers to.
  std::vector<std::string> places{};
  bool is_kept = false; ///< an earlier run had it, and a search finds one around it now
};

namespace detail {

/// Files that mark the top of a project without version control.
inline constexpr std::string_view project_files[]{"meson.build",  "harn.toml", "CMakeLists.txt", "Cargo.toml",
                                                  "package.json", "go.mod",    "pyproject.toml", "pom.xml"};

/// The user whose directories count, for a run in a directory.
[[nodiscard]] inline long long caller_in(const project_facts& facts, const std::string& directory) {
  return facts.caller ? *facts.caller : facts.owner(directory);
}

/// The homes of the caller, and of the account that the caller may become in a directory, as written and resolved.
[[nodiscard]] inline std::vector<std::string> homes_of(const project_facts& facts, const std::string& directory) {
  std::vector<std::string> named = facts.homes, all;
  if (facts.home != nullptr) named.push_back(facts.home(caller_in(facts, directory)));
  std::error_code ec;
  for (const std::string& home : named) {
    if (home.empty()) continue;
    all.push_back(home);
    all.push_back(place_of(fs::weakly_canonical(path_at(home), ec)));
  }
  return all;
}

/// The search for one project, from a directory upwards.
class project_search {
public:
  project_search(const fs::path& start, const project_facts& facts)
      : start_(start),
        facts_(facts),
        mine_(caller_in(facts, place_of(start))),
        homes_(homes_of(facts, place_of(start))) {}

  [[nodiscard]] project find() const {
    if (std::string why = why_not(start_); !why.empty()) return {{}, std::move(why)};
    std::vector<fs::path> candidates;
    for (fs::path dir = start_; why_not(dir).empty(); dir = dir.parent_path()) candidates.push_back(dir);
    for (const fs::path& dir : candidates)
      if (is_own(dir / ".git")) return opened(dir, "has .git", true);
    for (std::size_t i = 0; i < candidates.size(); ++i)
      for (const std::string_view file : project_files)
        if (is_own(candidates[i] / file)) return outermost(candidates, i, "has " + std::string(file));
    if (const std::string hidden = hidden_directory(start_); !hidden.empty())
      return {{}, hidden + " is a hidden directory of a home, without a repository or a project file in it"};
    const project_place here = kind_of(start_);
    if (takes_mark(here)) return {{}, place_of(start_) + " " + std::string(why_no_project(here))};
    return opened(start_, "the directory to run in: nothing around it marks a project", false);
  }

private:
  /// Returns: why a directory cannot be a project, whatever it contains; empty if it may be one.
  [[nodiscard]] std::string why_not(const fs::path& dir) const {
    const std::string place = place_of(dir);
    if (const project_place p = kind_of(dir); !may_be_project(p)) return place + " " + std::string(why_no_project(p));
    const auto home =
        std::find_if(homes_.begin(), homes_.end(), [&](const std::string& h) { return path::covers(place, h); });
    if (home != homes_.end()) return place == *home ? place + " is a home" : place + " is around the home " + *home;
    std::error_code ec;
    if ((fs::status(dir, ec).permissions() & fs::perms::sticky_bit) != fs::perms::none)
      return place + " " + std::string(why_no_project(project_place::shared));
    return facts_.owner(place) == mine_ ? std::string() : place + " belongs to another user";
  }

  /// The directory around `dir` that is directly below a home and whose name begins with a dot. Programs keep settings,
  /// keys and caches there.
  [[nodiscard]] std::string hidden_directory(const fs::path& dir) const {
    const std::string place = place_of(dir);
    for (const std::string& home : homes_) {
      const std::size_t at = home.size() + 1;
      if (home.size() > 1 && path::covers(home, place) && place.size() > at && place[at] == '.')
        return place.substr(0, place.find('/', at));
    }
    return {};
  }
  [[nodiscard]] project_place kind_of(const fs::path& dir) const {
    return project_place_of(place_of(dir), facts_.system);
  }
  [[nodiscard]] bool is_own(const fs::path& file) const {
    std::error_code ec;
    return fs::exists(file, ec) && facts_.owner(place_of(file)) == mine_;
  }

  /// The project at `candidates[i]`, or the outermost project of which it is a member, at any depth.
  [[nodiscard]] project outermost(const std::vector<fs::path>& candidates, std::size_t i, std::string why) const {
    fs::path root = candidates[i];
    while (++i < candidates.size()) {
      const std::string_view file = file_that_lists(candidates[i], root, [&](const fs::path& f) { return is_own(f); });
      if (file.empty()) continue;
      why = "its " + std::string(file) + " lists " + root.lexically_relative(candidates[i]).generic_string();
      root = candidates[i];
    }
    return opened(root, std::move(why), true);
  }

  [[nodiscard]] project opened(const fs::path& root, std::string why, bool is_marked) const {
    project made{place_of(root), std::move(why), is_marked, {place_of(root)}};
    const std::vector<std::string> repository = repository_places(root);
    const auto believed = [&](const std::string& dir) { return may_be_repository(path_at(dir), root); };
    if (std::all_of(repository.begin(), repository.end(), believed))
      made.places.insert(made.places.end(), repository.begin(), repository.end());
    return made;
  }

  /// May the run open a repository that a file of the project names? Never if the repository contains the project.
  [[nodiscard]] bool may_be_repository(const fs::path& dir, const fs::path& root) const {
    return why_not(dir).empty() && !path::covers(place_of(dir), place_of(root));
  }

  const fs::path& start_;
  const project_facts& facts_;
  long long mine_;
  std::vector<std::string> homes_;
};

} // namespace detail

/// The project around a directory, by its resolved path. Follows no link again.
[[nodiscard]] inline project find_project_of(const std::string& real, const project_facts& facts) {
  return detail::project_search(path_at(real), facts).find();
}

/// The project around a directory. Throws: `refused` if the directory does not exist.
[[nodiscard]] inline project find_project(const std::string& directory, const project_facts& facts) {
  std::error_code ec;
  const std::filesystem::path start = std::filesystem::canonical(directory, ec);
  if (ec) throw refused::because<reasons::path_unknown>(directory, ec.message());
  return find_project_of(place_of(start), facts);
}

} // namespace cordon
