// SPDX-License-Identifier: BSL-1.0
/// Turns a policy into the input of a launch, in the parent: opens paths and checks them through the descriptors that
/// the launch uses, and builds the rules and the filter. What the host cannot enforce is a gap, reported before the
/// start.
#pragma once

#include "../detail/owned.hpp"
#include "../policy/heap.hpp"
#include "../run/enclosure.hpp"
#include "../run/project/protected_settings.hpp"
#include "../run/reported.hpp"
#include "../run/resolve.hpp"
#include "control_group.hpp"
#include "launch.hpp"

#include <optional>
#include <string>
#include <vector>

namespace cordon {

/// How a policy is prepared.
struct prepare_options {
  enclosure by = enclosure::landlock; ///< the caller has probed it
  /// False: only what needs no confinement: limits, environment, temporary directory.
  bool confine = true;
  /// The caller's environment variables, `NAME=value`; left out: those of this process.
  std::optional<std::vector<std::string>> environment{};
  /// Links on granted paths (`resolve`), so that the view has them too.
  std::vector<link_on_the_way> links{};
  /// Settings that the policy protects (`with_protected`), for what takes the paths of those that are missing.
  std::vector<project_setting> settings{};
  /// The only files that may be executed, if the policy lists programs: resolved paths. Left out: execution is not
  /// narrowed, and such a policy leaves the gap `guard.children`.
  std::optional<std::vector<std::string>> programs{};
  /// The session whose directory is the temporary directory; empty: one of the run's own.
  std::string session{};
  /// Limits the whole tree; the caller of the launch makes the program join it.
  const control_group* group = nullptr;
};

class prepared;

inline namespace abi_0 {

/// Prepares a policy, which `resolve` has resolved, for this host. Throws: `refused` with the
/// reason and the path.
[[nodiscard]] prepared prepare(const loaded_policy& resolved, const prepare_options& options = {});

} // namespace abi_0

/// The input of launches under one policy. Several threads may use it at once, any number of times. Owns its
/// descriptors and the run's temporary directory, and removes that directory when it is destroyed.
class prepared {
public:
  [[gnu::abi_tag("abi_0")]] prepared();
  prepared(prepared&&) noexcept; ///< Leaves the other object without descriptors.
  /// Closes what this object had, and leaves the other without descriptors.
  prepared& operator=(prepared&&) noexcept;
  ~prepared();

  /// What the child is confined by; valid as long as this object.
  [[nodiscard]] const linux_shim::confinement& confinement() const;
  [[nodiscard]] const std::vector<reported_gap>& gaps() const;    ///< What is not enforced; reported before the start.
  [[nodiscard]] const std::vector<mechanism>& mechanisms() const; ///< What enforces the policy.
  /// The limits of the policy, and what enforces each.
  [[nodiscard]] const std::vector<stated_limit>& limits() const;
  /// The environment that the policy leaves, in the form of execve(2).
  [[nodiscard]] const char* const* environment() const;
  /// Names of the variables that cordon added.
  [[nodiscard]] const std::vector<std::string>& added_environment() const;
  /// Names of the caller's variables that the policy does not pass.
  [[nodiscard]] const std::vector<std::string>& dropped_environment() const;
  /// The directory that replaces `run_temp`; empty if the policy does not grant it.
  [[nodiscard]] const std::string& temp() const;
  /// Removes directories that killed launchers have left beside it. Lists the parent directory: call it while the
  /// program runs.
  void sweep_temp() const;
  /// Explains a failed launch.
  [[nodiscard]] std::string describe_failure(const linux_shim::failure& why) const;

private:
  struct parts;
  friend prepared abi_0::prepare(const loaded_policy&, const prepare_options&);
  detail::owned<parts> parts_;
};

} // namespace cordon
