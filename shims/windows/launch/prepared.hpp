// SPDX-License-Identifier: BSL-1.0
/// Converts rules to the input of a launch on Windows.
#pragma once

#include "launch.hpp"

#include <cordon/backend/appcontainer.hpp>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace cordon::windows_shim {

/// `name`: of the container, see `random_container_name`.
template <class S> [[nodiscard]] confinement confinement_of(const appcontainer::rules<S>& r, std::wstring name) {
  confinement how;
  how.name = std::move(name);
  if (r.internet) how.capabilities = {L"S-1-15-3-1"};              // internetClient
  if (r.server) how.capabilities = {L"S-1-15-3-2", L"S-1-15-3-3"}; // internetClientServer, privateNetworkClientServer
  how.less_privileged = r.made_for.less_privileged;
  how.spawn = r.spawn;
  how.limits = r.job;
  return how;
}

/// Replaces the account's folders by the container's folder: no program may write to the former. `system_root`: value
/// of `SystemRoot`, which Windows needs to start a program.
[[nodiscard]] inline std::vector<std::wstring>
with_folder(std::vector<std::wstring> variables, const std::wstring& folder, const std::wstring& system_root) {
  variables.push_back(L"SystemRoot=" + system_root);
  for (const wchar_t* name : {L"LOCALAPPDATA=", L"TEMP=", L"TMP="})
    if (!folder.empty()) variables.push_back(name + folder);
  return variables; // the later one of a name wins
}

} // namespace cordon::windows_shim
