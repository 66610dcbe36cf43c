// SPDX-License-Identifier: BSL-1.0
/// The functions of this machine that a run needs; a test replaces them.
#pragma once

#include "../access/system_lists.hpp"
#include "../launch/launch.hpp"

#include <filesystem>
#include <functional>
#include <memory>
#include <span>

namespace cordon::windows_shim {

struct machine {
  std::span<const stage> steps = stages();
  profile_calls calls = profile_calls::of_system();
  std::function<std::unique_ptr<list_store>()> lists = [] { return std::make_unique<system_lists>(); };
  std::filesystem::path journals = own_journals();
  HANDLE interrupted = nullptr; ///< an event; when it is signalled, the tree is to end

  /// Below the account's own data (%LOCALAPPDATA%).
  [[nodiscard]] static std::filesystem::path own_journals();
};

} // namespace cordon::windows_shim
