// SPDX-License-Identifier: BSL-1.0
/// File access of Windows: access masks of directories and of files. Source: winnt.h, and "File Access Rights
/// Constants" of the Windows documentation.
#pragma once

#include "../../policy/rights.hpp"

#include <cstdint>
#include <string_view>

namespace cordon::appcontainer {

/// Bits of an access mask.
enum access : std::uint32_t {
  read_data = 0x1,   ///< of a directory: LIST_DIRECTORY
  write_data = 0x2,  ///< of a directory: ADD_FILE
  append_data = 0x4, ///< of a directory: ADD_SUBDIRECTORY
  read_ea = 0x8,
  write_ea = 0x10,
  execute = 0x20,      ///< of a directory: TRAVERSE
  delete_child = 0x40, ///< never granted: the list of each object alone decides whether it may be removed
  read_attributes = 0x80,
  write_attributes = 0x100,
  remove_object = 0x1'0000, ///< DELETE, which is a macro in winnt.h
  read_control = 0x2'0000,
  synchronize = 0x10'0000,
};

/// Returns: the name of one bit; empty for none or several.
[[nodiscard]] constexpr std::string_view name(access bit) {
  switch (bit) {
  case read_data: return "read_data";
  case write_data: return "write_data";
  case append_data: return "append_data";
  case read_ea: return "read_ea";
  case write_ea: return "write_ea";
  case execute: return "execute";
  case delete_child: return "delete_child";
  case read_attributes: return "read_attributes";
  case write_attributes: return "write_attributes";
  case remove_object: return "remove_object";
  case read_control: return "read_control";
  case synchronize: return "synchronize";
  }
  return {};
}

/// What adds an entry to a directory, of either kind.
inline constexpr std::uint32_t add_entry = write_data | append_data;

/// CreateFileW adds synchronize and read_attributes to the access that its caller requests; each generic right includes
/// read_control. WRITE_DAC and WRITE_OWNER are never granted: with them a process could grant itself the rest.
inline constexpr std::uint32_t any_open = read_attributes | read_control | synchronize;

namespace detail {
[[nodiscard]] constexpr std::uint32_t of_every_object(rights r) {
  return (r.has(right::attributes) ? write_attributes | write_ea : 0U) | (r.has(right::remove) ? remove_object : 0U);
}
[[nodiscard]] constexpr std::uint32_t openable(std::uint32_t bits) { return bits == 0 ? 0 : bits | any_open; }
} // namespace detail

/// Returns the access mask of those rights on a directory. A directory that may be listed can also be a working
/// directory, which requires TRAVERSE.
[[nodiscard]] constexpr std::uint32_t directory_access(rights r) {
  return detail::openable(detail::of_every_object(r) | (r.has(right::list) ? read_data | read_ea | execute : 0U) |
                          (r.has(right::create) ? add_entry : 0U));
}

/// Returns the access mask of those rights on a file.
[[nodiscard]] constexpr std::uint32_t file_access(rights r) {
  return detail::openable(detail::of_every_object(r) | (r.has(right::read) ? read_data | read_ea : 0U) |
                          (r.has(right::run) ? static_cast<std::uint32_t>(execute) : 0U) |
                          (r.has(right::write) ? write_data | append_data : 0U));
}

} // namespace cordon::appcontainer
