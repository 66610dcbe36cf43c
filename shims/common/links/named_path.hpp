// SPDX-License-Identifier: BSL-1.0
/// Paths that the caller gives to cordon itself: policies, reports, records, keys and directories.
#pragma once

#include <cordon/run/links/link_facts.hpp>

#include <string>

namespace cordon::shim {

/// Follows an absolute path; a component that does not exist is kept. `name` is for messages. Throws: `refused` if a
/// confined program may have created a link on the path (planted.hpp).
[[nodiscard]] judged_name check_named(std::string name, const std::string& path);

/// The same for a file that cordon reads; relative paths are relative to the current directory.
void check_named_file(const std::string& file);

} // namespace cordon::shim
