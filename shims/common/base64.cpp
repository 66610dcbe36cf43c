// SPDX-License-Identifier: BSL-1.0
#include <cordon/format/base64.hpp>

#include <boost/beast/core/detail/base64.hpp>

namespace cordon {

namespace codec = boost::beast::detail::base64;

std::string cordon::abi_0::to_base64(std::string_view bytes) {
  std::string text(codec::encoded_size(bytes.size()), '\0');
  text.resize(codec::encode(text.data(), bytes.data(), bytes.size()));
  return text;
}

std::optional<std::string> cordon::abi_0::from_base64(std::string_view text) {
  std::string bytes(codec::decoded_size(text.size() + 3), '\0');
  bytes.resize(codec::decode(bytes.data(), text.data(), text.size()).first);
  // The decoder stops at the first invalid character, and does not check the bits that must be zero.
  return to_base64(bytes) == text ? std::optional(bytes) : std::nullopt;
}

} // namespace cordon
