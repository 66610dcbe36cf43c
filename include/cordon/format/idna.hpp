// SPDX-License-Identifier: BSL-1.0
/// Converts one label of a host to its A-label form, by UTS 46, non-transitional: sharp s is kept, as in browsers.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#if __has_include(<idn2.h>)
#include <idn2.h>
#endif

namespace cordon::format {

/// By the system's library, if it has one: the shim for Windows implements this. Returns: empty for a label without an
/// A-label form.
[[nodiscard]] std::string idna_label_of_system(std::string_view label);

/// The A-label form of `label`: UTF-8, with its ASCII letters in lower case. Returns: empty if there is none. An
/// A-label has none if it does not decode, or decodes to a text whose A-label differs.
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
