// SPDX-License-Identifier: BSL-1.0
#include "launch_failure.hpp"

#include "../access/grants.hpp"
#include "../launch/token.hpp"
#include "../text.hpp"

namespace cordon::windows_shim {
namespace {

[[nodiscard]] std::string describe_error(DWORD error) {
  if (error == ERROR_PROC_NOT_FOUND) return "this system has no such call";
  if (error == not_in_force) return "Windows accepted the setting, but it is not in force";
  return words_of(error);
}

} // namespace

std::string describe_failure(const failure& why, const std::wstring* object) {
  std::string text;
  if (why.at == L"files" && object != nullptr) {
    text += "the access list of " + narrow(*object) + " cannot be changed: ";
    if (why.error == granted::in_use) text += "another run has changed it; start again when that run is over: ";
  }
  return text + describe_error(why.error);
}

} // namespace cordon::windows_shim
