// SPDX-License-Identifier: BSL-1.0
/// Which backends work on this host. A backend is available only if its probe has observed a refusal.
#pragma once

#include "enclosure.hpp"
#include "selection.hpp"

#include <string>
#include <vector>

namespace cordon {

struct availability {
  std::string name; ///< backend that would be used
  bool available = false;
  std::string why; ///< why it is not available, with the remedy
  enclosure by{};  ///< for `prepare`, on Linux
  /// The probe itself lacked a resource (processes, descriptors, memory, namespaces), so the host's abilities are
  /// unknown.
  bool untried = false;
};

/// Probes the requested backend; for `automatic`, finds the strongest available one.
[[nodiscard]] availability probe_backend(launcher_id asked);

/// The same for a caller that starts a program next. Saves some milliseconds: it does not probe namespaces, nor bwrap
/// if that is requested. The launch itself finds out whether they work, before the program exists.
[[nodiscard]] availability probe_to_start(launcher_id asked);

/// One line of `doctor`: a mechanism that this host may be able to enforce.
struct ability_of_host {
  std::string name;
  bool works = false;
  std::string seen;   ///< what was observed
  std::string remedy; ///< what would make it work
};

[[nodiscard]] std::vector<ability_of_host> examine_host();

} // namespace cordon
