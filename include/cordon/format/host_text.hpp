// SPDX-License-Identifier: BSL-1.0
/// Hosts as people and programs write them, internationalised names included. Whoever includes this links libidn2.
#pragma once

#include "../host.hpp"

#include <idn2.h>

#include <memory>
#include <string>

namespace cordon::format {

/// The A-label form of one label by UTS 46, non-transitional: sharp s stays itself, as in browsers. False if the label
/// has none, among them A-labels that do not decode, or decode to what would be written otherwise.
struct idna {
  bool operator()(std::string_view label, host::name_text& to) const {
    if (label.find('\0') != label.npos) return false;
    std::string text;
    for (const char c : label) text += host::lower(c);
    std::uint8_t* found = nullptr;
    const int said = idn2_lookup_u8(reinterpret_cast<const std::uint8_t*>(text.c_str()), &found, IDN2_NONTRANSITIONAL);
    const std::unique_ptr<void, decltype(&idn2_free)> owner(found, &idn2_free);
    if (said != IDN2_OK || found == nullptr) return false;
    to.add(std::string_view(reinterpret_cast<const char*>(found)));
    return !to.empty();
  }
};

/// The same as a function.
[[nodiscard]] inline bool idna_label(std::string_view label, host::name_text& to) { return idna{}(label, to); }

/// Reads a pattern of a document.
[[nodiscard]] inline host::pattern parse_host(std::string_view text) { return host::parse(text, idna{}); }

/// Reads what a program asks for: a host, a host with a port, or a URL.
[[nodiscard]] inline host::asked ask_host(std::string_view text) { return host::ask(text, idna{}); }

} // namespace cordon::format
