// SPDX-License-Identifier: BSL-1.0
#include "machine.hpp"

#include <shlobj.h>

namespace cordon::windows_shim {

std::filesystem::path machine::own_journals() {
  PWSTR data = nullptr;
  if (FAILED(::SHGetKnownFolderPath(FOLDERID_LocalAppData, 0, nullptr, &data))) return {};
  const std::filesystem::path own = std::filesystem::path(data) / L"cordon";
  ::CoTaskMemFree(data);
  return own;
}

} // namespace cordon::windows_shim
