// SPDX-License-Identifier: BSL-1.0
#include "variables.hpp"

#include "../text.hpp"

#include <cordon/detail/ascii.hpp>
#include <cordon/run/reasons.hpp>
#include <cordon/run/refused.hpp>

#include <algorithm>
#include <cstdint>
#include <string_view>
#include <utility>

#include <windows.h>

namespace cordon::windows_shim {

void check_variable_names(const loaded_policy& policy) {
  const auto names = policy.environment();
  for (std::uint32_t i = 0; i < names.size() && !policy.is_any<axis_id::environment>(); ++i)
    if (const std::string_view name = names.place(i); std::any_of(name.begin(), name.end(), ascii::is_lower))
      throw refused::because<reasons::policy_variable_case>(name);
}

std::vector<std::string> with_names_in_capitals(std::vector<std::string> variables) {
  for (std::string& v : variables)
    for (char& c : v) {
      if (c == '=') break;
      c = ascii::upper(c);
    }
  return variables;
}

std::wstring system_root() {
  wchar_t windows[MAX_PATH];
  return {windows, std::min<UINT>(::GetWindowsDirectoryW(windows, MAX_PATH), MAX_PATH)};
}

std::vector<std::wstring> variables_of(const shim::environment& e) {
  std::vector<std::wstring> all;
  for (const std::string& v : e.all()) all.push_back(wide(v));
  all.push_back(L"SystemRoot=" + system_root());
  return all;
}

void state_variables(const shim::environment& e, bool confined, report& r) {
  for (std::string& name : e.names()) r.environment.push_back(std::move(name));
  std::vector<std::string> added{"SystemRoot"};
  if (confined) added.insert(added.end(), {"LOCALAPPDATA", "TEMP", "TMP"}); // with_folder
  for (const std::string& name : added) {
    r.added_environment.push_back(name);
    if (std::find(r.environment.begin(), r.environment.end(), name) == r.environment.end())
      r.environment.push_back(name);
  }
}

} // namespace cordon::windows_shim
