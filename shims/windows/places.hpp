// SPDX-License-Identifier: BSL-1.0
/// Places of a policy as Windows really has them: one spelling, without links.
#pragma once

#include "handle.hpp"

#include <cordon/policy/heap.hpp>

#include <filesystem>
#include <string>

namespace cordon::windows_shim {

/// The place of what a name leads to, in the spelling of the disk; empty where it leads nowhere, with GetLastError's
/// reason.
[[nodiscard]] std::string real_place(const std::filesystem::path& name, DWORD& error);

/// The same policy with the places of both path axes as the disk spells them. Throws `refused` for a granted place that
/// does not exist, and for any that is reached through a link or under another name: the entries of an access list are the
/// object's, whatever leads there.
[[nodiscard]] loaded_policy resolve(const loaded_policy& p);

/// The letter of the drive that Windows stands on.
[[nodiscard]] char system_drive();

} // namespace cordon::windows_shim
