// SPDX-License-Identifier: BSL-1.0
#include "../common/hash.hpp"

#include <nettle/hmac.h>
#include <nettle/sha2.h>

namespace cordon::shim {
namespace {

[[nodiscard]] const std::uint8_t* data_of(std::string_view text) {
  return reinterpret_cast<const std::uint8_t*>(text.data());
}

} // namespace

hash sha256(std::string_view text) {
  sha256_ctx context;
  sha256_init(&context);
  sha256_update(&context, text.size(), data_of(text));
  hash sum;
  sha256_digest(&context, sum.size(), sum.data());
  return sum;
}

hash hmac_sha256(std::string_view text, std::string_view key) {
  hmac_sha256_ctx context;
  hmac_sha256_set_key(&context, key.size(), data_of(key));
  hmac_sha256_update(&context, text.size(), data_of(text));
  hash mac;
  hmac_sha256_digest(&context, mac.size(), mac.data());
  return mac;
}

} // namespace cordon::shim
