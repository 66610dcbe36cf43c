// SPDX-License-Identifier: BSL-1.0
/// The words of Windows for files: access masks of directories and of files. Source: winnt.h, and "File Access Rights
/// Constants" of the Windows documentation.
#pragma once

#include "../../rights.hpp"

#include <cstdint>

namespace cordon::appcontainer {

enum access : std::uint32_t {
  READ_DATA = 0x1,   ///< of a directory: LIST_DIRECTORY
  WRITE_DATA = 0x2,  ///< of a directory: ADD_FILE
  APPEND_DATA = 0x4, ///< of a directory: ADD_SUBDIRECTORY
  READ_EA = 0x8,
  WRITE_EA = 0x10,
  EXECUTE = 0x20,      ///< of a directory: TRAVERSE
  DELETE_CHILD = 0x40, ///< given to nobody: what may be removed is then said by each object alone
  READ_ATTRIBUTES = 0x80,
  WRITE_ATTRIBUTES = 0x100,
  REMOVE = 0x1'0000, ///< DELETE, which winnt.h makes a macro
  READ_CONTROL = 0x2'0000,
  SYNCHRONIZE = 0x10'0000,
};

inline constexpr std::uint32_t add_entry = WRITE_DATA | APPEND_DATA;

/// Every open asks for SYNCHRONIZE and READ_ATTRIBUTES beside what its caller names (CreateFileW), every generic right
/// for READ_CONTROL. WRITE_DAC and WRITE_OWNER are given to nobody: whoever has them grants himself the rest.
inline constexpr std::uint32_t any_open = READ_ATTRIBUTES | READ_CONTROL | SYNCHRONIZE;

namespace detail {
[[nodiscard]] constexpr std::uint32_t of_every_object(rights r) {
  return (r.has(right::attributes) ? WRITE_ATTRIBUTES | WRITE_EA : 0U) | (r.has(right::remove) ? REMOVE : 0U);
}
[[nodiscard]] constexpr std::uint32_t openable(std::uint32_t bits) { return bits == 0 ? 0 : bits | any_open; }
} // namespace detail

/// What those rights are on a directory. A listed directory may also be a working directory, which asks for TRAVERSE.
[[nodiscard]] constexpr std::uint32_t directory_access(rights r) {
  return detail::openable(detail::of_every_object(r) | (r.has(right::list) ? READ_DATA | READ_EA | EXECUTE : 0U) |
                          (r.has(right::create) ? add_entry : 0U));
}

/// What those rights are on a file.
[[nodiscard]] constexpr std::uint32_t file_access(rights r) {
  return detail::openable(detail::of_every_object(r) | (r.has(right::read) ? READ_DATA | READ_EA : 0U) |
                          (r.has(right::run) ? static_cast<std::uint32_t>(EXECUTE) : 0U) |
                          (r.has(right::write) ? WRITE_DATA | APPEND_DATA : 0U));
}

} // namespace cordon::appcontainer
