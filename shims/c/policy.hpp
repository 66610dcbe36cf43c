// SPDX-License-Identifier: BSL-1.0
/// A policy of the C interface.
#pragma once

#include "../common/policy_source.hpp"
#include "boundary.hpp"

#include <cordon/run/load.hpp>

#include <vector>

struct cordon_policy {
  cordon::host_policy here; ///< for this host
  /// The documents that it is the meet of, for rules of other systems, whose presets and home differ.
  std::vector<cordon::shim::policy_source> sources;
};
