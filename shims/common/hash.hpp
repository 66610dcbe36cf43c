// SPDX-License-Identifier: BSL-1.0
/// Hashes, from the system's own library or from the one that the build found.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace cordon::shim {

using hash = std::array<std::uint8_t, 32>;

/// FIPS 180-4.
[[nodiscard]] hash sha256(std::string_view text);
/// RFC 2104.
[[nodiscard]] hash hmac_sha256(std::string_view text, std::string_view key);

} // namespace cordon::shim
