// SPDX-License-Identifier: BSL-1.0
/// Base64 (RFC 4648, section 4), for bytes in JSON.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace cordon {

inline namespace abi_0 {

[[nodiscard]] std::string to_base64(std::string_view bytes); ///< The bytes in Base64 (RFC 4648), with padding.
/// Returns: the bytes; empty if the text is not valid Base64.
[[nodiscard]] std::optional<std::string> from_base64(std::string_view text);

} // namespace abi_0

} // namespace cordon
