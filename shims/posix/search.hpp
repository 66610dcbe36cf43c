// SPDX-License-Identifier: BSL-1.0
/// Which file a command line means, by the rules of execvp(3).
#pragma once

#include <cordon/run/outcome.hpp>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <string>

namespace cordon::shim {

/// Looks a name up in `search` (as PATH), or takes it as a path if it has a slash, relative to the directory. `look(path,
/// found)` is 0, or the errno that execve(2) would give for this file. `Found` has `how` and `why` for what is not found.
template <class Found, class Look>
[[nodiscard]] Found search_program(const std::string& name, const std::string& search, const std::string& directory,
                                   Look&& look) {
  const std::string base = directory.empty() || directory.back() == '/' ? directory : directory + "/";
  const auto absolute = [&](const std::string& p) {
    return p.empty() || p.front() != '/' ? std::string(base).append(p) : p;
  };
  Found found;
  int error = ENOENT;
  if (name.find('/') != name.npos) error = look(absolute(name), found);
  else
    for (std::size_t from = 0; !name.empty() && from <= search.size();) {
      const std::size_t end = std::min(search.find(':', from), search.size());
      const std::string dir = search.substr(from, end - from);
      from = end + 1;
      // An empty entry means the current directory to execvp(3). A policy of somebody else's files is no place for that.
      const int e = dir.empty() ? ENOENT : look(absolute(std::string(dir).append("/").append(name)), found);
      if (e == 0) return found;
      if (e != ENOENT && e != ENOTDIR) error = e; // as execvp(3): a later hit wins, else this is the answer
    }
  if (error == 0) return found;
  const bool absent = error == ENOENT || error == ENOTDIR;
  found.how = absent ? ending::not_found : ending::not_executable;
  found.why = name + ": " + (absent ? "no such program" : std::string("cannot be executed: ") + std::strerror(error));
  return found;
}

} // namespace cordon::shim
