// SPDX-License-Identifier: BSL-1.0
/// Hashes with the system's library (CommonCrypto). Not every compiler for macOS comes with its headers.
#include "../common/hash.hpp"

#include <cstddef>

extern "C" {
unsigned char* CC_SHA256(const void* data, std::uint32_t size, unsigned char* to);
void CCHmac(std::uint32_t algorithm, const void* key, std::size_t key_size, const void* data, std::size_t size,
            void* to);
}

namespace cordon::shim {

hash sha256(std::string_view text) {
  hash sum;
  CC_SHA256(text.data(), static_cast<std::uint32_t>(text.size()), sum.data()); // no text of cordon has 4 GiB
  return sum;
}

hash hmac_sha256(std::string_view text, std::string_view key) {
  constexpr std::uint32_t of_sha256 = 2; // kCCHmacAlgSHA256
  hash mac;
  CCHmac(of_sha256, key.data(), key.size(), text.data(), text.size(), mac.data());
  return mac;
}

} // namespace cordon::shim
