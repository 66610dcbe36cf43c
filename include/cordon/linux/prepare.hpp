// SPDX-License-Identifier: BSL-1.0
/// From a policy to what a launch needs, in the parent: places opened and checked on the descriptor that will be used,
/// rules and filter built. What the host cannot enforce is a gap, told before anything starts.
#pragma once

#include "../backend/landlock.hpp"
#include "../policy/heap.hpp"
#include "../run/enclosure.hpp"
#include "../run/reported.hpp"
#include "../run/resolve.hpp"
#include "control_group.hpp"
#include "launch.hpp"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace cordon {

struct prepare_options {
  enclosure by = enclosure::landlock; ///< has been probed by whoever asks
  /// False: only what is in force without confinement, that is limits, environment, temporary directory.
  bool confine = true;
  /// The caller's variables, `NAME=value`; left out: this process's own.
  std::optional<std::vector<std::string>> environment{};
  /// Those by which granted places may be named (`resolve`), so that a view has them too.
  std::vector<link_on_the_way> links{};
  /// The only files that may be executed, where the policy lists programs: resolved names. Left out: they are not narrowed,
  /// and such a policy leaves the gap `guard.children`.
  std::optional<std::vector<std::string>> programs{};
  /// Holds limits of the whole tree; who launches sees to it that the program joins it.
  const control_group* group = nullptr;
};

/// Everything for launches under one policy; may be used again and by several threads at once. Owns its descriptors and
/// the run's temporary directory, which goes when it goes.
class prepared {
public:
  prepared();
  prepared(prepared&&) noexcept;
  prepared& operator=(prepared&&) noexcept;
  ~prepared();

  [[nodiscard]] const linux_shim::confinement& confinement() const;
  [[nodiscard]] const std::vector<reported_gap>& gaps() const;
  [[nodiscard]] const std::vector<mechanism>& mechanisms() const;
  [[nodiscard]] const std::vector<stated_limit>& limits() const;
  /// What the policy leaves of the environment, laid out for execve(2).
  [[nodiscard]] const char* const* environment() const;
  /// Names that cordon itself set there.
  [[nodiscard]] const std::vector<std::string>& added_environment() const;
  /// Names of the caller's variables that the policy does not let pass.
  [[nodiscard]] const std::vector<std::string>& dropped_environment() const;
  /// The directory that stands for `run_temp`; empty if the policy does not grant it.
  [[nodiscard]] const std::string& temp() const;
  /// Removes what killed launchers have left beside it. It lists the directory around: best while the program runs.
  void sweep_temp() const;
  /// What went wrong with a launch, in words.
  [[nodiscard]] std::string describe_failure(const linux_shim::failure& why) const;

private:
  struct parts;
  friend prepared prepare(const loaded_policy&, const prepare_options&);
  std::unique_ptr<parts> parts_;
};

/// Prepares a policy for this host. The policy must be resolved (`resolve`). Throws `refused` with the reason and the
/// place.
[[nodiscard]] prepared prepare(const loaded_policy& policy, const prepare_options& options = {});

} // namespace cordon
