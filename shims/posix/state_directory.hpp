// SPDX-License-Identifier: BSL-1.0
/// Small files that cordon keeps for a user from one run to the next.
#pragma once

#include "descriptor.hpp"

#include <string>

namespace cordon::shim {

enum class missing_directory : bool { stays, made };

/// $XDG_STATE_HOME/cordon, or ~/.local/state/cordon (XDG Base Directory Specification 0.8); nothing where it is not this
/// user's alone.
[[nodiscard]] descriptor state_directory(missing_directory how = missing_directory::made);

/// A file of this user's alone in it, locked against other processes; nothing where there is none, or another process has
/// it.
[[nodiscard]] descriptor own_file(const descriptor& in, const std::string& name);

} // namespace cordon::shim
