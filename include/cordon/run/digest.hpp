// SPDX-License-Identifier: BSL-1.0
/// Digests, which tell whether a text is still the same, and attestations, which tell that whoever has a key has written
/// it.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace cordon {

/// SHA-256 (FIPS 180-4) as `sha256:` and 64 hexadecimal digits.
[[nodiscard]] std::string digest_of(std::string_view text);

/// A JSON object as cordon prints them, with the member `attestation` behind the others: HMAC-SHA-256 (RFC 2104) of the
/// text without it, under a key of at least `least_key` bytes. Throws `refused` for a shorter one.
[[nodiscard]] std::string attest(std::string_view object, std::string_view key);
/// The text that was attested. Throws `refused` where there is no attestation, or it is not one of this text by this key.
/// Takes the same time whatever byte differs.
[[nodiscard]] std::string check_attestation(std::string_view text, std::string_view key);
/// The text without its attestation, whosever that is; the text itself where it has none.
[[nodiscard]] std::string without_attestation(std::string_view text);

inline constexpr std::size_t least_key = 16;

} // namespace cordon
