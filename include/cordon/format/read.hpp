// SPDX-License-Identifier: BSL-1.0
/// Reads a document of any known format. The content decides the format.
#pragma once

#include "document.hpp"
#include "error.hpp"
#include "lower.hpp"

#include <cstddef>
#include <string>
#include <string_view>

namespace cordon::format {

/// Larger documents are refused: a million patterns are 40 MB.
inline constexpr std::size_t largest_document = std::size_t{256} << 20;

inline namespace abi_0 {

/// Does the text look like the policy language? JSON begins with a brace or a bracket.
[[nodiscard]] bool is_notation(std::string_view content);

/// Reads a text; `name` is its name in messages. Throws: bad_document.
[[nodiscard]] document read(std::string name, std::string content, const host_facts& facts);

/// The content of a regular file. Throws: bad_document (`unreadable`) with the reason.
[[nodiscard]] std::string content_of(const std::string& file);

/// The base directory of relative paths in a file.
[[nodiscard]] std::string directory_of(const std::string& file);

/// Reads a file; relative paths in it are relative to its directory. Throws: bad_document.
[[nodiscard]] document read_file(const std::string& file, host_facts facts);

} // namespace abi_0

} // namespace cordon::format
