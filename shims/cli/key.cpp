// SPDX-License-Identifier: BSL-1.0
#include "key.hpp"

#include "../common/host.hpp"
#include "../common/links/named_path.hpp"

#include <cordon/format/read.hpp>
#include <cordon/run/digest.hpp>
#include <cordon/run/reasons.hpp>
#include <cordon/run/refused.hpp>

namespace cordon::cli {

attestation_key::attestation_key(const std::string& file) {
  shim::check_named_file(file);
  bytes_ = format::content_of(file);
  file_ = shim::place_of_file(file);
  if (bytes_.ends_with('\n')) bytes_.pop_back();
  if (bytes_.size() < least_key) throw refused::because<reasons::key_short>(file, std::to_string(least_key));
}

void attestation_key::check_hidden(const loaded_policy& p) const {
  if (rights::from_bits(p.files().lookup(file_)).has(right::read))
    throw refused::because<reasons::policy_reads_key>(file_);
}

} // namespace cordon::cli
