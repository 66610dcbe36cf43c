// SPDX-License-Identifier: BSL-1.0
/// Which backends work on this host, as seen by a probe that has observed a refusal.
#pragma once

#include "enclosure.hpp"
#include "selection.hpp"

#include <string>
#include <vector>

namespace cordon {

struct availability {
  std::string name; ///< of the backend that would be used
  bool available = false;
  std::string why; ///< why not, with the remedy
  enclosure by{};  ///< for `prepare`, on Linux
  /// The probe itself lacked a resource (processes, descriptors, memory, namespaces): what this host can do is not known.
  bool untried = false;
};

/// Probes the backend that was asked for, or finds the strongest one there is.
[[nodiscard]] availability probe_backend(launcher_id asked);

/// The same for somebody who starts a program next: namespaces, and bwrap where it is asked for, are left to that start,
/// which sees whether it has them before there is a program. Some milliseconds less.
[[nodiscard]] availability probe_to_start(launcher_id asked);

/// One line of `doctor`: something that this host may or may not be able to enforce.
struct ability_of_host {
  std::string name;
  bool works = false;
  std::string seen;   ///< what was observed
  std::string remedy; ///< what would make it work
};

[[nodiscard]] std::vector<ability_of_host> examine_host();

} // namespace cordon
