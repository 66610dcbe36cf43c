// SPDX-License-Identifier: BSL-1.0
#include "hash.hpp"

#include <cordon/run/digest.hpp>
#include <cordon/run/refused.hpp>

namespace cordon {
namespace {

[[nodiscard]] std::string hexadecimal(const shim::hash& from) {
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
  return hexadecimal(shim::hmac_sha256(text, key));
}

/// Compares in a time that does not depend on which byte differs.
[[nodiscard]] bool is_same(std::string_view a, std::string_view b) {
  if (a.size() != b.size()) return false;
  volatile unsigned char differs = 0;
  for (std::size_t i = 0; i < a.size(); ++i) differs = differs | static_cast<unsigned char>(a[i] ^ b[i]);
  return differs == 0;
}

} // namespace

std::string digest_of(std::string_view text) { return "sha256:" + hexadecimal(shim::sha256(text)); }

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
  if (!is_same(said, mac))
    throw refused("the attestation does not match: the file was changed, or the key is another one");
  return attested;
}

} // namespace cordon
