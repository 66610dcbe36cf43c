// SPDX-License-Identifier: BSL-1.0
/// Capabilities: named operations of the host that a policy grants, such as `workspace.read_text`. A host may define
/// names in addition to those that cordon knows.
#pragma once

#include "../detail/ascii.hpp"
#include "name.hpp"

#include <array>

namespace cordon::capability {

inline constexpr std::string_view read_text = "workspace.read_text";   ///< read files
inline constexpr std::string_view list = "workspace.list";             ///< list directories
inline constexpr std::string_view exists = "workspace.exists";         ///< look whether a path exists
inline constexpr std::string_view write_text = "workspace.write_text"; ///< write and create files
inline constexpr std::string_view apply_edit = "workspace.apply_edit"; ///< edit files in place
inline constexpr std::string_view remove = "workspace.delete";         ///< remove files
inline constexpr std::string_view exec = "process.exec";               ///< start processes

/// The capabilities with a meaning for cordon.
inline constexpr std::array<std::string_view, 7> known{read_text, list, exists, write_text, apply_edit, remove, exec};

/// Is this a capability name: words of lower-case letters, digits and `_`, joined by dots? The groups `workspace` and
/// `process` accept only the known names, so that a misspelled one is an error.
[[nodiscard]] constexpr bool is_name(std::string_view text) {
  for (const std::string_view k : known)
    if (k == text) return true;
  if (text.substr(0, 10) == "workspace." || text.substr(0, 8) == "process.") return false;
  bool word = false, dotted = false;
  for (const char c : text) {
    if (c == '.') {
      if (!word) return false;
      word = false;
      dotted = true;
    } else if (ascii::is_lower(c) || ascii::is_digit(c) || c == '_') word = true;
    else return false;
  }
  return word && dotted;
}

} // namespace cordon::capability
