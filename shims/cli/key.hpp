// SPDX-License-Identifier: BSL-1.0
/// The key of attestations. It comes from a file, since every user can read the arguments of a process.
#pragma once

#include <cordon/policy/heap.hpp>

#include <string>

namespace cordon::cli {

class attestation_key {
public:
  /// Throws: format::bad_document, `refused`.
  explicit attestation_key(const std::string& file);

  [[nodiscard]] std::string_view bytes() const { return bytes_; }
  /// Throws: `refused` if the program could read the key, and so attest anything.
  void check_hidden(const loaded_policy& p) const;

private:
  std::string file_, bytes_;
};

} // namespace cordon::cli
