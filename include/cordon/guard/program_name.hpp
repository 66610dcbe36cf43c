// SPDX-License-Identifier: BSL-1.0
/// The name of a program, without its directory.
#pragma once

#include "../detail/ascii.hpp"
#include "../detail/same.hpp"

#include <cstddef>
#include <string_view>

namespace cordon::guard {

/// The last component of a path. A final `.exe` is removed; the name is then case-insensitive.
struct program_name {
  std::string_view name{}; ///< the name without directory and suffix
  bool any_case = false;   ///< Windows ignores the case of names

  /// Is it this name?
  [[nodiscard]] constexpr bool is(std::string_view other) const {
    return any_case ? ascii::same_in_any_case(name, other) : cordon::detail::same(name, other);
  }
};

/// The name of a program by its path. A name that ends in `.exe` is one of Windows.
[[nodiscard]] constexpr program_name program_name_of(std::string_view program) {
  if (const std::size_t slash = program.find_last_of("/\\"); slash != program.npos) program.remove_prefix(slash + 1);
  if (program.size() > 4 && program_name{program.substr(program.size() - 4), true}.is(".exe"))
    return {program.substr(0, program.size() - 4), true};
  return {program, false};
}

/// The same without a version after it: `3`, `3.11`, `-5.4`. An invalid version is kept.
[[nodiscard]] constexpr program_name without_version(program_name n) {
  std::size_t size = n.name.size();
  while (size != 0 && (ascii::is_digit(n.name[size - 1]) || n.name[size - 1] == '.')) --size;
  const std::string_view version = n.name.substr(size);
  if (version.empty() || version.front() == '.' || version.back() == '.' || version.find("..") != version.npos)
    return n;
  if (size != 0 && n.name[size - 1] == '-') --size;
  return {n.name.substr(0, size), n.any_case};
}

} // namespace cordon::guard
