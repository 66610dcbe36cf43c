// SPDX-License-Identifier: BSL-1.0
#include "hash.hpp"
#include "last_member.hpp"

#include <cordon/run/digest.hpp>
#include <cordon/run/reasons.hpp>
#include <cordon/run/refused.hpp>

namespace cordon {
namespace {

[[nodiscard]] std::string hexadecimal(const shim::hash& from) {
  constexpr char digits[] = "0123456789abcdef";
  std::string text;
  for (const std::uint8_t b : from) {
    text += digits[b >> 4];
    text += digits[b & 15];
  }
  return text;
}

[[nodiscard]] const shim::last_member& attestation() {
  static const shim::last_member member =
      shim::last_member_of([](format::json_string_writer& to, std::string_view mac) {
        to.object("attestation", json_layout::one_line, [&] {
          to.member("algorithm", "HMAC-SHA-256");
          to.member("mac", mac);
        });
      });
  return member;
}

[[nodiscard]] std::string mac_of(std::string_view text, std::string_view key) {
  if (key.size() < least_key) throw refused::because<reasons::key_weak>(std::to_string(least_key));
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

std::string cordon::abi_0::digest_of(std::string_view text) { return "sha256:" + hexadecimal(shim::sha256(text)); }

std::string cordon::abi_0::attest(std::string_view object, std::string_view key) {
  if (!object.ends_with(shim::object_end)) throw refused::because<reasons::not_attestable>();
  return shim::with_last_member(object, attestation(), mac_of(object, key));
}

std::string cordon::abi_0::without_attestation(std::string_view text) {
  const auto& [before, behind] = attestation();
  const std::size_t at = text.ends_with(behind) ? text.rfind(before) : text.npos;
  return at == text.npos ? std::string(text) : std::string(text.substr(0, at)).append(shim::object_end);
}

std::string cordon::abi_0::check_attestation(std::string_view text, std::string_view key) {
  std::string attested = without_attestation(text);
  if (attested.size() == text.size()) throw refused::because<reasons::not_attested>();
  const auto& [before, behind] = attestation();
  const std::size_t at = attested.size() - shim::object_end.size() + before.size();
  const std::string_view said = text.substr(at, text.size() - at - behind.size());
  const std::string mac = mac_of(attested, key);
  if (!is_same(said, mac)) throw refused::because<reasons::attestation_differs>();
  return attested;
}

} // namespace cordon
