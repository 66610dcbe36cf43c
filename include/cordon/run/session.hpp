// SPDX-License-Identifier: BSL-1.0
/// Sessions: temporary files and caches that live on between runs. Each session is a directory of the user's, with mode
/// 0700, below `$XDG_STATE_HOME/cordon/sessions` or `~/.local/state/cordon/sessions`. Several runs may use one at the
/// same time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace cordon {

/// At most so many sessions exist at a time.
inline constexpr std::size_t most_sessions = 64;
/// At most so many bytes are in a session when a run starts.
inline constexpr std::uint64_t most_session_bytes = std::uint64_t{8} << 30;

/// May a session have this name? One to 64 letters, digits, `.`, `_` and `-`; the first one is no `.`.
[[nodiscard]] constexpr bool is_session_name(std::string_view name) {
  constexpr std::string_view allowed = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-";
  return !name.empty() && name.size() <= 64 && name[0] != '.' && name.find_first_not_of(allowed) == name.npos;
}

/// A session, as it was found.
struct session {
  std::string name;        ///< as the run named it
  std::string path;        ///< of its directory
  std::uint64_t bytes = 0; ///< that its files take on disk
  std::uint64_t used = 0;  ///< start of the last run in it, in seconds since 1970-01-01 UTC
  bool in_use = false;     ///< does a run use it?
};

inline namespace abi_0 {

/// Returns: this user's sessions, by name. Reads every directory below them. Not for Windows: none.
[[nodiscard]] std::vector<session> sessions();
/// Removes a session and its files. Throws: `refused` if there is none, or a run uses it.
void remove_session(std::string_view name);

} // namespace abi_0

} // namespace cordon
