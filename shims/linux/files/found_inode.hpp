// SPDX-License-Identifier: BSL-1.0
/// Looks at the host's files before a view shows them.
#pragma once

#include "../child/descriptor.hpp"
#include "../child/inode_id.hpp"

#include <cordon/gap/file_type.hpp>

#include <string>
#include <string_view>

namespace cordon::linux_shim {

/// The inode at a path of the host, or the error of the lookup.
struct found_inode {
  file_type what = file_type::unknown;
  inode_id is{};
  int error = 0;
};

/// Looks a path up without following links; a symbolic link gives the error ELOOP.
[[nodiscard]] found_inode look(const std::string& place);
/// The same; `held` keeps the inode open (O_PATH).
[[nodiscard]] found_inode look(const std::string& place, descriptor& held);
/// Returns: `found`. Throws: `refused` if its lookup failed.
const found_inode& sure(const found_inode& found, std::string_view place);

} // namespace cordon::linux_shim
