// SPDX-License-Identifier: BSL-1.0
/// The private parts of every view, whatever the policy grants: /proc, /dev, private directories, the links of /usr.
#pragma once

#include "view_writer.hpp"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace cordon::linux_shim {

/// Adds them. `whole`: the view shows the host's root, which has the directories. `all`: the resolved paths of the
/// rules. `temp`: the directory that /tmp shows; empty: one in memory.
void add_own_places(view_writer& to, const namespaces::rules<heap>& rules, mounts::list all, bool whole,
                    const std::string& temp);

/// The number inside the view of a user or group outside: root's becomes 65534, which is in /etc/passwd and /etc/group
/// of every Linux.
[[nodiscard]] constexpr unsigned id_inside(unsigned outside) { return outside == 0 ? 65534 : outside; }

/// The value of XDG_RUNTIME_DIR inside a view with a private /run.
[[nodiscard]] std::string runtime_directory();
/// The directories that a private /run has at the start, with their modes; each after the one around it.
[[nodiscard]] std::vector<std::pair<std::string, std::uint32_t>> runtime_directories();

} // namespace cordon::linux_shim
