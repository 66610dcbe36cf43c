// SPDX-License-Identifier: BSL-1.0
/// The A-label form of one label of a host, by UTS 46, non-transitional: sharp s stays itself, as in browsers.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#if __has_include(<idn2.h>)
#include <idn2.h>
#endif

namespace cordon::format {

/// By what the system has, where it has that: the shim for Windows has its own. Empty for a label that has none.
[[nodiscard]] std::string idna_label_of_system(std::string_view label);

/// `label`: UTF-8 in small letters, as far as they are ASCII. Empty if it has none, as have A-labels that do not decode,
/// or decode to what would be written otherwise.
#if __has_include(<idn2.h>)
[[nodiscard]] inline std::string idna_of(const std::string& label) {
  std::uint8_t* found = nullptr;
  const int said = idn2_lookup_u8(reinterpret_cast<const std::uint8_t*>(label.c_str()), &found, IDN2_NONTRANSITIONAL);
  const std::unique_ptr<void, decltype(&idn2_free)> owner(found, &idn2_free);
  return said != IDN2_OK || found == nullptr ? std::string() : reinterpret_cast<const char*>(found);
}
#else
[[nodiscard]] inline std::string idna_of(const std::string& label) { return idna_label_of_system(label); }
#endif

} // namespace cordon::format
