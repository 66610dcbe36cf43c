// SPDX-License-Identifier: BSL-1.0
/// The kinds of isolation on Linux.
#pragma once

#include <cstdint>

namespace cordon {

/// What separates a program's files and processes from the rest of the machine on Linux, beside a system call filter.
enum class enclosure : std::uint8_t {
  landlock,   ///< a ruleset; the program shares the namespaces of all other processes
  namespaces, ///< a private view, with a ruleset inside it
  bubblewrap, ///< the same, but bwrap creates the view
};

} // namespace cordon
