// SPDX-License-Identifier: BSL-1.0
/// A simulated OpenBSD with one process, as its manual pages describe it: unveil(2), pledge(2), closefrom(2), and their
/// effect on execve(2). It kills the process in the cases that the manual names.
#pragma once

#include "../bsd/process.hpp"

#include <openbsd/steps.hpp>

#include <optional>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

namespace openbsd {

using words = std::set<std::string>;

inline words words_of(std::string_view text) {
  std::istringstream in{std::string(text)};
  words out;
  for (std::string w; in >> w;) out.insert(w);
  return out;
}

class system : public bsd::process {
public:
  static constexpr std::size_t most_places = 128;

  // Set up by a test: a kernel that reports success and does nothing.
  bool forgets_lock = false, forgets_promises = false;
  bool forgets_program_promises = false; ///< only the promises of the program

  // Inspected by a test.
  bool is_killed = false, is_locked = false;
  std::optional<words> promised, program_promised;
  std::vector<std::pair<std::string, std::string>> unveiled;

  int unveil(const char* place, const char* permissions) noexcept {
    if (const int no = asked("unveil", "unveil")) return no;
    if (place == nullptr) return is_locked = !forgets_lock, 0;
    if (is_locked) return -eperm;
    if (std::string_view(permissions).find_first_not_of("rwxc") != std::string_view::npos) return -einval;
    if (unveiled.size() == most_places) return -e2big;
    unveiled.emplace_back(place, permissions);
    return 0;
  }
  int pledge(const char* promises, const char* of_program) noexcept {
    if (const int no = asked("pledge", "stdio")) return no;
    const auto less = [](std::optional<words>& now, const char* asked) {
      if (asked == nullptr) return 0;
      const words wanted = words_of(asked);
      for (const std::string& w : wanted)
        if (now && !now->contains(w)) return -eperm;
      now = wanted;
      return 0;
    };
    if (forgets_promises) return 0;
    if (const int no = less(promised, promises)) return no;
    return forgets_program_promises ? 0 : less(program_promised, of_program);
  }
  int closefrom(int least) noexcept {
    if (const int no = asked("closefrom", "stdio")) return no;
    const auto first = files.lower_bound(least);
    if (first == files.end()) return -ebadf;
    files.erase(first, files.end());
    return 0;
  }
  /// The most specific unveil decides; without one, the path does not exist.
  int execve(const char* path, char* const*, char* const*) noexcept {
    if (const int no = asked("execve", "exec")) return no;
    if (is_locked || !unveiled.empty()) {
      const std::optional<std::string> has = permissions(path);
      if (!has) return -enoent;
      if (has->find('x') == has->npos) return -eacces;
    }
    if (!executables.contains(path)) return -enoent;
    for (const int fd : marked) files.erase(fd);
    marked.clear();
    promised = program_promised;
    if (!program_promised) unveiled.clear(), is_locked = false;
    program_promised.reset();
    program = path;
    runs = true;
    return 0;
  }
  /// What a process may do with a path: the permissions of the nearest unveiled one, or nothing.
  [[nodiscard]] std::optional<std::string> permissions(std::string_view place) const {
    const std::pair<std::string, std::string>* nearest = nullptr;
    for (const auto& u : unveiled) {
      const bool covers = u.first == "/" || place == u.first || place.starts_with(u.first + "/");
      if (covers && (nearest == nullptr || u.first.size() >= nearest->first.size())) nearest = &u;
    }
    return nearest == nullptr ? std::nullopt : std::optional(nearest->second);
  }
  [[nodiscard]] bool can(std::string_view place, char permission, const char* promise) const {
    if (promised && !promised->contains(promise)) return false;
    if (unveiled.empty() && !is_locked) return true;
    const auto has = permissions(place);
    return has && has->find(permission) != has->npos;
  }

private:
  bool permits(const char* promise) noexcept override {
    if (promised && !promised->contains(promise)) is_killed = true;
    return !is_killed;
  }
};

} // namespace openbsd
