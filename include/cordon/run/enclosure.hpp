// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>

namespace cordon {

/// What keeps a program's files and processes from the machine's on Linux, beside a filter of system calls.
enum class enclosure : std::uint8_t {
  landlock,   ///< a ruleset, among everybody else
  namespaces, ///< a view of its own with a ruleset in it
  bubblewrap, ///< the same, where bwrap makes the view
};

} // namespace cordon
