// SPDX-License-Identifier: BSL-1.0
/// Converts paths of a policy to those that Windows has: one spelling, without links.
#pragma once

#include "handle.hpp"

#include <cordon/policy/heap.hpp>

#include <filesystem>
#include <string>

namespace cordon::windows_shim {

/// The path that a name resolves to, in the spelling of the disk. Empty if it does not exist; `error` is then that of
/// GetLastError.
[[nodiscard]] std::string real_place(const std::filesystem::path& name, DWORD& error);

/// The same policy with the paths of both path axes as the disk spells them. Throws: `refused` for a granted path that
/// does not exist, and for a path through a link or under another name. An access list belongs to the object, whatever
/// path leads to it.
[[nodiscard]] loaded_policy resolve(const loaded_policy& p);

/// The letter of the drive that Windows is installed on.
[[nodiscard]] char system_drive();

} // namespace cordon::windows_shim
