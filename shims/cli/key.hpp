// SPDX-License-Identifier: BSL-1.0
/// The key of attestations. It comes from a file: the words of a command line are for everybody to read.
#pragma once

#include <cordon/policy/heap.hpp>

#include <string>

namespace cordon::cli {

class attestation_key {
public:
  /// Throws format::bad_document, `refused`.
  explicit attestation_key(const std::string& file);

  [[nodiscard]] std::string_view bytes() const { return bytes_; }
  /// Throws `refused` where the program could read it, and so attest what it likes.
  void check_hidden(const loaded_policy& p) const;

private:
  std::string file_, bytes_;
};

} // namespace cordon::cli
