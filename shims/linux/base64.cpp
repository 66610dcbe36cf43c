// SPDX-License-Identifier: BSL-1.0
#include <cordon/run/base64.hpp>

#include <nettle/base64.h>

#include <cstdint>

namespace cordon {

std::string to_base64(std::string_view bytes) {
  std::string text(BASE64_ENCODE_RAW_LENGTH(bytes.size()), '\0');
  base64_encode_raw(text.data(), bytes.size(), reinterpret_cast<const std::uint8_t*>(bytes.data()));
  return text;
}

std::optional<std::string> from_base64(std::string_view text) {
  std::string bytes(BASE64_DECODE_LENGTH(text.size()), '\0');
  std::size_t size = bytes.size();
  base64_decode_ctx decoder;
  base64_decode_init(&decoder);
  const bool good = base64_decode_update(&decoder, &size, reinterpret_cast<std::uint8_t*>(bytes.data()), text.size(),
                                         text.data()) == 1 &&
                    base64_decode_final(&decoder) == 1;
  bytes.resize(size);
  return good ? std::optional(bytes) : std::nullopt;
}

} // namespace cordon
