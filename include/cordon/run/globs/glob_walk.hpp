// SPDX-License-Identifier: BSL-1.0
/// Finds the paths on this host that match glob patterns now.
#pragma once

#include "../../format/document.hpp"
#include "../../format/place.hpp"
#include "../reasons.hpp"
#include "../refused.hpp"

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace cordon {

/// The most entries that the search of one directory examines.
inline constexpr std::size_t most_glob_entries = 1U << 20;

/// Returns: is the content of a directory unreachable for the caller, and so for the program, whatever either does?
/// False for the caller's own directories: chmod(2) opens them again.
using closed_directory = bool (*)(const std::string& place);

namespace detail {

/// A search of one directory tree for several patterns at once. Does not follow symbolic links below it; a link itself
/// may match.
class glob_walk {
public:
  glob_walk(const std::vector<format::glob_search>& wanted, const format::found_match& found,
            closed_directory is_closed, std::size_t most = most_glob_entries)
      : wanted_(wanted), found_(found), is_closed_(is_closed), most_(most) {}

  void search(const std::string& top) {
    directory first{top, {}};
    for (std::size_t n = 0; n < wanted_.size(); ++n)
      first.states.push_back({n, wanted_[n].what.before(wanted_[n].first)});
    std::vector<directory> rest{std::move(first)};
    while (!rest.empty()) {
      const directory next = std::move(rest.back());
      rest.pop_back();
      list(next, rest);
    }
  }

private:
  struct state {
    std::size_t pattern;
    glob::pattern::states now;
  };
  struct directory {
    std::string place;
    std::vector<state> states; ///< of the patterns that may still match in it
  };

  void list(const directory& at, std::vector<directory>& rest) {
    namespace fs = std::filesystem;
    std::error_code ec;
    for (fs::directory_iterator e(path_at(at.place), ec), end; !ec && e != end; e.increment(ec)) {
      if (++looked_at_ > most_) throw refused::because<reasons::glob_too_many>(std::to_string(most_), at.place);
      std::error_code unknown;
      const bool is_directory = !e->is_symlink(unknown) && e->is_directory(unknown);
      const std::u8string name = e->path().filename().u8string();
      directory next{(at.place == "/" ? "/" : at.place + "/") + std::string(name.begin(), name.end()), {}};
      for (const state& s : at.states) {
        const glob::pattern& p = wanted_[s.pattern].what;
        const auto now = p.after(s.now, std::string_view(next.place).substr(next.place.size() - name.size()));
        if (p.is_match(now, is_directory)) found_(s.pattern, next.place);
        if (now != 0 && is_directory) next.states.push_back({s.pattern, now});
      }
      if (!next.states.empty()) rest.push_back(std::move(next));
    }
    if (ec && ec != std::errc::no_such_file_or_directory && ec != std::errc::not_a_directory && !is_closed_(at.place))
      throw refused::because<reasons::glob_not_listed>(at.place, ec.message());
  }

  const std::vector<format::glob_search>& wanted_;
  const format::found_match& found_;
  const closed_directory is_closed_;
  const std::size_t most_;
  std::size_t looked_at_ = 0;
};

} // namespace detail

/// Implements `host_facts::find_matches`. Throws: `refused` if a directory cannot be listed and is not closed, or if
/// there are more than `most_glob_entries` entries. O(n) in the entries.
inline void find_matches(const std::string& top, const std::vector<format::glob_search>& wanted,
                         const format::found_match& found, closed_directory is_closed) {
  detail::glob_walk(wanted, found, is_closed).search(top);
}

} // namespace cordon
