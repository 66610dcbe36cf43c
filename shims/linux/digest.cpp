// SPDX-License-Identifier: BSL-1.0
#include <cordon/run/digest.hpp>
#include <cordon/run/resolve.hpp>

#include <nettle/hmac.h>
#include <nettle/memops.h>
#include <nettle/sha2.h>

#include <array>
#include <cstdint>
#include <span>

namespace cordon {
namespace {

using bytes = std::array<std::uint8_t, SHA256_DIGEST_SIZE>;

[[nodiscard]] const std::uint8_t* data_of(std::string_view text) {
  return reinterpret_cast<const std::uint8_t*>(text.data());
}

[[nodiscard]] std::string hexadecimal(const bytes& from) {
  constexpr char digits[] = "0123456789abcdef";
  std::string text;
  for (const std::uint8_t b : from) text += digits[b >> 4], text += digits[b & 15];
  return text;
}

constexpr std::string_view before_mac = ",\n  \"attestation\": {\"algorithm\": \"HMAC-SHA-256\", \"mac\": \"",
                           behind_mac = "\"}\n}\n", end = "\n}\n";

[[nodiscard]] std::string mac_of(std::string_view text, std::string_view key) {
  if (key.size() < least_key)
    throw refused("a key of fewer than " + std::to_string(least_key) + " bytes attests nothing");
  hmac_sha256_ctx hmac;
  hmac_sha256_set_key(&hmac, key.size(), data_of(key));
  hmac_sha256_update(&hmac, text.size(), data_of(text));
  bytes mac;
  hmac_sha256_digest(&hmac, mac.size(), mac.data());
  return hexadecimal(mac);
}

} // namespace

std::string digest_of(std::string_view text) {
  sha256_ctx hash;
  sha256_init(&hash);
  sha256_update(&hash, text.size(), data_of(text));
  bytes sum;
  sha256_digest(&hash, sum.size(), sum.data());
  return "sha256:" + hexadecimal(sum);
}

std::string attest(std::string_view object, std::string_view key) {
  if (!object.ends_with(end)) throw refused("only a JSON object as cordon prints them can be attested");
  const std::string mac = mac_of(object, key);
  object.remove_suffix(end.size());
  return std::string(object).append(before_mac).append(mac).append(behind_mac);
}

std::string without_attestation(std::string_view text) {
  const std::size_t at = text.ends_with(behind_mac) ? text.rfind(before_mac) : text.npos;
  return at == text.npos ? std::string(text) : std::string(text.substr(0, at)).append(end);
}

std::string check_attestation(std::string_view text, std::string_view key) {
  std::string attested = without_attestation(text);
  if (attested.size() == text.size()) throw refused("it is not attested");
  const std::size_t at = attested.size() - end.size() + before_mac.size();
  const std::string_view said = text.substr(at, text.size() - at - behind_mac.size());
  const std::string mac = mac_of(attested, key);
  if (said.size() != mac.size() || memeql_sec(said.data(), mac.data(), mac.size()) == 0)
    throw refused("its attestation is not of this text, or not by this key");
  return attested;
}

} // namespace cordon
