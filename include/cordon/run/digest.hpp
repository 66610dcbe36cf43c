// SPDX-License-Identifier: BSL-1.0
/// Digests, which show whether a text has changed, and attestations, which show that the holder of a key wrote it.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace cordon {

inline namespace abi_0 {

/// SHA-256 (FIPS 180-4) as `sha256:` and 64 hexadecimal digits.
[[nodiscard]] std::string digest_of(std::string_view text);

/// Adds the member `attestation` at the end of a JSON object in cordon's own layout: HMAC-SHA-256 (RFC 2104) of the
/// text without that member, under a key of at least `least_key` bytes. Throws: `refused` for a shorter key.
[[nodiscard]] std::string attest(std::string_view object, std::string_view key);
/// Returns: the attested text. Throws: `refused` if the attestation is missing, or does not match the text and the key.
/// The time does not depend on which byte differs.
[[nodiscard]] std::string check_attestation(std::string_view text, std::string_view key);
/// Returns: the text without its attestation, which is not checked; the text itself if it has none.
[[nodiscard]] std::string without_attestation(std::string_view text);

} // namespace abi_0

inline constexpr std::size_t least_key = 16; ///< bytes of a key for `attest`

} // namespace cordon
