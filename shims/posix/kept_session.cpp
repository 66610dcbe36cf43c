// SPDX-License-Identifier: BSL-1.0
#include "kept_session.hpp"

#include "clear_directory.hpp"
#include "state_directory.hpp"

#include <cordon/run/reasons.hpp>
#include <cordon/run/refused.hpp>
#include <cordon/run/session.hpp>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

namespace cordon {

namespace {

using shim::descriptor;

/// The directory of all sessions, and its path.
struct parent {
  descriptor directory;
  std::string path;
};

[[nodiscard]] parent open_parent(shim::missing_directory how) {
  const descriptor state = shim::state_directory(how);
  if (!state) return {};
  if (how == shim::missing_directory::made) (void)::mkdirat(state.get(), "sessions", 0700);
  return {shim::open_own_directory(state.get(), "sessions"), shim::state_place() + "/sessions"};
}

/// A session that is too large has a file of this name beside it, where no program of a run may write.
[[nodiscard]] std::string mark_of(std::string_view name) { return "." + std::string(name) + ".full"; }

[[nodiscard]] bool is_marked(const parent& all, const std::string& name) {
  return ::faccessat(all.directory.get(), mark_of(name).c_str(), F_OK, AT_SYMLINK_NOFOLLOW) == 0;
}

/// The bytes on disk of a directory's files; follows no link. A directory deeper than any tool makes counts as too
/// large, so that a program can neither hide files in it nor exhaust the stack.
[[nodiscard]] std::uint64_t bytes_in(const descriptor& directory, int depth = 0) {
  constexpr int deepest = 128;
  if (depth > deepest) return most_session_bytes + 1;
  std::uint64_t sum = 0;
  for (const std::string& name : shim::entries(directory.get())) {
    struct stat st {};
    if (::fstatat(directory.get(), name.c_str(), &st, AT_SYMLINK_NOFOLLOW) != 0) continue;
    constexpr std::uint64_t unit = 512; // of st_blocks, stat(3type)
    sum += static_cast<std::uint64_t>(st.st_blocks) * unit;
    if (S_ISDIR(st.st_mode)) sum += bytes_in(shim::open_directory(directory.get(), name.c_str()), depth + 1);
  }
  return sum;
}

void measure(const parent& all, const std::string& name) {
  const bool full = bytes_in(shim::open_directory(all.directory.get(), name.c_str())) > most_session_bytes;
  const std::string mark = mark_of(name);
  if (!full) ::unlinkat(all.directory.get(), mark.c_str(), 0);
  else if (!is_marked(all, name))
    const descriptor made(
        ::openat(all.directory.get(), mark.c_str(), O_WRONLY | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600));
}

[[nodiscard]] std::vector<std::string> names_in(const parent& all) {
  if (!all.directory) return {};
  std::vector<std::string> names = shim::entries(all.directory.get());
  std::erase_if(names, [](const std::string& name) { return !is_session_name(name); });
  std::sort(names.begin(), names.end());
  return names;
}

/// Another run may have just removed the session, so that a lock of the directory proves nothing.
[[nodiscard]] bool is_still_there(const parent& all, const std::string& name, const descriptor& directory) {
  struct stat opened {
  }, named{};
  return ::fstat(directory.get(), &opened) == 0 &&
         ::fstatat(all.directory.get(), name.c_str(), &named, AT_SYMLINK_NOFOLLOW) == 0 &&
         opened.st_ino == named.st_ino && opened.st_dev == named.st_dev;
}

} // namespace

shim::run_directory shim::open_session(const std::string& name) {
  if (!is_session_name(name)) throw refused::because<reasons::session_name>(name);
  const parent all = open_parent(missing_directory::made);
  const auto refuse = [&](int error) {
    throw refused::because<reasons::session_not_opened>(all.path.empty() ? name : all.path + "/" + name,
                                                        std::strerror(error));
  };
  if (!all.directory) refuse(EACCES);
  const bool is_new = ::mkdirat(all.directory.get(), name.c_str(), 0700) == 0;
  if (!is_new && errno != EEXIST) refuse(errno);
  if (is_new && names_in(all).size() > most_sessions) {
    ::unlinkat(all.directory.get(), name.c_str(), AT_REMOVEDIR);
    throw refused::because<reasons::too_many_sessions>(std::to_string(most_sessions));
  }
  if (!is_new && is_marked(all, name)) measure(all, name);
  if (is_marked(all, name))
    throw refused::because<reasons::session_too_large>(name, std::to_string(most_session_bytes >> 30), name);
  // A program of an earlier run may have changed its mode.
  (void)!::fchmodat(all.directory.get(), name.c_str(), 0700, AT_SYMLINK_NOFOLLOW);
  errno = 0; // another user's directory is opened without an error
  descriptor made = open_own_directory(all.directory.get(), name.c_str());
  if (!made) refuse(errno == 0 ? EACCES : errno);
  if (::fchmod(made.get(), 0700) != 0 || ::flock(made.get(), LOCK_SH | LOCK_NB) != 0) refuse(errno);
  if (!is_still_there(all, name, made)) refuse(ENOENT);
  (void)!::futimens(made.get(), nullptr);
  return run_directory::keep(std::move(made), all.path + "/" + name);
}

void shim::measure_session(const std::string& name) {
  if (const parent all = open_parent(missing_directory::stays); all.directory) measure(all, name);
}

std::vector<session> cordon::abi_0::sessions() {
  const parent all = open_parent(shim::missing_directory::stays);
  std::vector<session> found;
  for (const std::string& name : names_in(all)) {
    const descriptor directory = shim::open_directory(all.directory.get(), name.c_str());
    struct stat st {};
    if (!directory || ::fstat(directory.get(), &st) != 0) continue;
    const bool is_free = ::flock(directory.get(), LOCK_EX | LOCK_NB) == 0;
    found.push_back(
        {name, all.path + "/" + name, bytes_in(directory), static_cast<std::uint64_t>(st.st_mtime), !is_free});
  }
  return found;
}

void cordon::abi_0::remove_session(std::string_view name) {
  const std::string which(name);
  const parent all = open_parent(shim::missing_directory::stays);
  const descriptor directory =
      is_session_name(name) && all.directory ? shim::open_directory(all.directory.get(), which.c_str()) : descriptor();
  if (!directory) throw refused::because<reasons::no_session>(which);
  if (::flock(directory.get(), LOCK_EX | LOCK_NB) != 0) throw refused::because<reasons::session_in_use>(which);
  shim::clear(directory.get());
  if (::unlinkat(all.directory.get(), which.c_str(), AT_REMOVEDIR) != 0)
    throw refused::because<reasons::session_not_opened>(all.path + "/" + which, std::strerror(errno));
  ::unlinkat(all.directory.get(), mark_of(name).c_str(), 0);
}

} // namespace cordon
