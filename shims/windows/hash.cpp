// SPDX-License-Identifier: BSL-1.0
/// Hashes with the system's library (CNG).
#include "../common/hash.hpp"

#include <algorithm>
#include <stdexcept>

#include <windows.h>

#include <bcrypt.h>

namespace cordon::shim {
namespace {

/// `flags`: BCRYPT_ALG_HANDLE_HMAC_FLAG for a keyed hash.
[[nodiscard]] hash hash_of(std::string_view text, std::string_view key, ULONG flags) {
  const auto data = [](std::string_view t) {
    return reinterpret_cast<PUCHAR>(const_cast<char*>(t.data())); // only read
  };
  BCRYPT_ALG_HANDLE algorithm = nullptr;
  BCRYPT_HASH_HANDLE context = nullptr;
  hash sum{};
  constexpr std::size_t most = 1 << 30; // bytes that one call takes
  NTSTATUS said = ::BCryptOpenAlgorithmProvider(&algorithm, BCRYPT_SHA256_ALGORITHM, nullptr, flags);
  if (said == 0)
    said = ::BCryptCreateHash(algorithm, &context, nullptr, 0, data(key), static_cast<ULONG>(key.size()), 0);
  for (; said == 0 && !text.empty(); text.remove_prefix(std::min(text.size(), most)))
    said = ::BCryptHashData(context, data(text), static_cast<ULONG>(std::min(text.size(), most)), 0);
  if (said == 0) said = ::BCryptFinishHash(context, sum.data(), static_cast<ULONG>(sum.size()), 0);
  if (context != nullptr) ::BCryptDestroyHash(context);
  if (algorithm != nullptr) ::BCryptCloseAlgorithmProvider(algorithm, 0);
  if (said != 0) throw std::runtime_error("this system has no SHA-256");
  return sum;
}

} // namespace

hash sha256(std::string_view text) { return hash_of(text, {}, 0); }
hash hmac_sha256(std::string_view text, std::string_view key) {
  return hash_of(text, key, BCRYPT_ALG_HANDLE_HMAC_FLAG);
}

} // namespace cordon::shim
