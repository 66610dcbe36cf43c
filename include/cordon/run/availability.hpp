// SPDX-License-Identifier: BSL-1.0
/// Which backends work on this host. A backend is available only if its probe has observed a refusal.
#pragma once

#include "enclosure.hpp"
#include "selection.hpp"

#include <string>
#include <vector>

namespace cordon {

/// What a probe of one backend found.
struct availability {
  std::string name;       ///< backend that would be used
  bool available = false; ///< has a probe observed that it refuses something?
  std::string why;        ///< why it is not available, with the remedy
  enclosure by{};         ///< for `prepare`, on Linux
  /// The probe itself lacked a resource (processes, descriptors, memory, namespaces), so the host's abilities are
  /// unknown.
  bool untried = false;
};

inline namespace abi_0 {

/// Probes the requested backend; for `automatic`, finds the strongest available one.
[[nodiscard]] availability probe_backend(launcher_id asked);

/// The same for a caller that starts a program next. Saves some milliseconds: it does not probe namespaces, nor bwrap
/// if that is requested. The launch itself finds out whether they work, before the program exists.
[[nodiscard]] availability probe_to_start(launcher_id asked);

} // namespace abi_0

/// One line of `doctor`: a mechanism that this host may be able to enforce.
struct ability_of_host {
  std::string name;   ///< of the mechanism
  bool works = false; ///< has a probe observed it?
  std::string seen;   ///< what was observed
  std::string remedy; ///< what would make it work
};

inline namespace abi_0 {

/// Examines every mechanism of this host, for `cordon doctor`.
[[nodiscard]] std::vector<ability_of_host> examine_host();

} // namespace abi_0

} // namespace cordon
