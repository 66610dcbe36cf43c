// SPDX-License-Identifier: BSL-1.0
/// Finds the file of a command line, by the rules of execvp(3).
#pragma once

#include "../common/environment.hpp"

#include <cordon/run/outcome.hpp>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <string>

namespace cordon::shim {

/// Returns: where to look for a program that gets this environment.
[[nodiscard]] inline std::string search_path(const char* const* environment) {
  std::string path = value_of(environment, "PATH");
  return path.empty() ? "/usr/local/bin:/usr/bin:/bin" : path;
}

/// Looks a name up in `search` (as PATH). A name with a slash is a path, relative to the directory. `look(path, found)`
/// returns 0, or the errno of execve(2) for this file. `Found` has `how` and `why` for a failure.
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
      // execvp(3) takes an empty entry as the current directory. cordon skips it: the files there may be another
      // user's.
      const int e = dir.empty() ? ENOENT : look(absolute(std::string(dir).append("/").append(name)), found);
      if (e == 0) return found;
      if (e != ENOENT && e != ENOTDIR) error = e; // as in execvp(3): a later match wins, else this error is returned
    }
  if (error == 0) return found;
  const bool absent = error == ENOENT || error == ENOTDIR;
  found.how = absent ? ending::not_found : ending::not_executable;
  found.why = name + ": " + (absent ? "no such program" : std::string("cannot be executed: ") + std::strerror(error));
  return found;
}

} // namespace cordon::shim
