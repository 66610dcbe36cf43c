// SPDX-License-Identifier: BSL-1.0
/// The name of a program, without its directory.
#pragma once

#include <cstddef>
#include <string_view>

namespace cordon::guard {

/// The last component of a path. A final `.exe` is removed; the name is then case-insensitive.
struct program_name {
  std::string_view name{};
  bool any_case = false;

  [[nodiscard]] constexpr bool is(std::string_view other) const {
    if (name.size() != other.size()) return false;
    for (std::size_t i = 0; i < name.size(); ++i)
      if (name[i] != other[i] && !(any_case && lower(name[i]) == lower(other[i]))) return false;
    return true;
  }
  [[nodiscard]] static constexpr char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c | 0x20) : c; }
};

[[nodiscard]] constexpr program_name program_name_of(std::string_view program) {
  if (const std::size_t slash = program.find_last_of("/\\"); slash != program.npos) program.remove_prefix(slash + 1);
  if (program.size() > 4 && program_name{program.substr(program.size() - 4), true}.is(".exe"))
    return {program.substr(0, program.size() - 4), true};
  return {program, false};
}

/// The same without a version after it: `3`, `3.11`, `-5.4`. An invalid version is kept.
[[nodiscard]] constexpr program_name without_version(program_name n) {
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  std::size_t size = n.name.size();
  while (size != 0 && (is_digit(n.name[size - 1]) || n.name[size - 1] == '.')) --size;
  const std::string_view version = n.name.substr(size);
  if (version.empty() || version.front() == '.' || version.back() == '.' || version.find("..") != version.npos)
    return n;
  if (size != 0 && n.name[size - 1] == '-') --size;
  return {n.name.substr(0, size), n.any_case};
}

} // namespace cordon::guard
