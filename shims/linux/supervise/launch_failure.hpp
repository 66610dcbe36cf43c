// SPDX-License-Identifier: BSL-1.0
/// What a failed launch means for the run.
#pragma once

#include <cordon/linux/launch.hpp>
#include <cordon/linux/prepare.hpp>
#include <cordon/run/outcome.hpp>

#include <string>

namespace cordon::linux_shim {

/// The namespaces could not be made; no program has been started.
struct no_namespaces {
  std::string why;
};

/// Returns: the outcome of a run whose program was not started.
[[nodiscard]] outcome outcome_of(const failure& why, const prepared& ready, const std::string& program);

/// Does the host refuse the namespaces? Not if a path has changed or a resource was missing for a moment. All these
/// stages precede the start of the program, so it has done nothing yet.
[[nodiscard]] bool is_refused_by_host(const failure& why);

} // namespace cordon::linux_shim
