// SPDX-License-Identifier: BSL-1.0
/// Parses hosts as users and programs write them, internationalised names included. A program that includes this header
/// must link libidn2, or on a system without it cordon's shim.
#pragma once

#include "../detail/ascii.hpp"
#include "../host/host.hpp"
#include "idna.hpp"

#include <string>

namespace cordon::format {

/// The A-label form of one label (`idna_of`). Returns: false if it has none.
struct idna {
  /// Adds the A-label of a label to `to`. Returns: false if IDNA does not allow it.
  bool operator()(std::string_view label, host::name_text& to) const {
    if (label.find('\0') != label.npos) return false;
    std::string text;
    for (const char c : label) text += ascii::lower(c);
    const std::string found = idna_of(text);
    if (found.empty()) return false;
    to.add(found);
    return !to.empty();
  }
};

/// The same as a function.
[[nodiscard]] inline bool idna_label(std::string_view label, host::name_text& to) { return idna{}(label, to); }

/// Parses a pattern of a document.
[[nodiscard]] inline host::pattern parse_host(std::string_view text) { return host::parse(text, idna{}); }

/// Parses the host that a program requests: a host, a host with a port, or a URL.
[[nodiscard]] inline host::requested_host parse_requested_host(std::string_view text) {
  return host::parse_requested_host(text, idna{});
}

} // namespace cordon::format
