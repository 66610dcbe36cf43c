// SPDX-License-Identifier: BSL-1.0
/// Small files that cordon keeps for a user between runs.
#pragma once

#include "descriptor.hpp"

#include <string>

namespace cordon::shim {

enum class missing_directory : bool { stays, made };

/// Returns: $XDG_STATE_HOME/cordon, or ~/.local/state/cordon (XDG Base Directory Specification 0.8); empty unless this
/// user owns it and other users cannot write it.
[[nodiscard]] descriptor state_directory(missing_directory how = missing_directory::made);

/// Returns: its path, without links; empty if there is none.
[[nodiscard]] std::string state_place();

/// Opens a directory of this user at a name below another one; follows no link. Returns: empty if other users own it or
/// can write it.
[[nodiscard]] descriptor open_own_directory(int at, const char* name);

/// Returns: a regular file in it that this user owns, without other hard links, locked against other processes; empty
/// if there is none, or another process holds the lock.
[[nodiscard]] descriptor own_file(const descriptor& in, const std::string& name);

} // namespace cordon::shim
