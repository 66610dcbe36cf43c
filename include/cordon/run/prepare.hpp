// SPDX-License-Identifier: BSL-1.0
/// From a policy to what a launch needs, in the parent: places opened and checked on the descriptor that will be used,
/// rules and filter built. What the host cannot enforce is a gap, told before anything starts.
#pragma once

#include "../backend/landlock.hpp"
#include "../heap.hpp"
#include "control_group.hpp"
#include "enclosure.hpp"
#include "launch.hpp"
#include "resolve.hpp"

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace cordon {

/// A difference between what the policy says and what will be in force.
struct stated_gap {
  gap_kind kind{};
  std::string id;  ///< `backend.topic[:place]`
  std::string why; ///< what it means and, where there is one, the remedy
};

/// What is in force of one mechanism.
struct mechanism {
  std::string name;
  std::string version;
  std::string verified; ///< how it was seen to work
};

/// Which limits of a policy hold, and who holds them.
struct stated_limit {
  limit which{};
  std::uint64_t value = 0;
  std::string_view grade; ///< enforced, best_effort or none
  std::string by;
};

/// IDs of the unenforced ones that `accepted` does not list.
[[nodiscard]] inline std::vector<std::string> not_accepted(const std::vector<stated_gap>& gaps,
                                                           const std::vector<std::string>& accepted) {
  std::vector<std::string> left;
  for (const stated_gap& g : gaps)
    if (g.kind == gap_kind::unenforced && std::find(accepted.begin(), accepted.end(), g.id) == accepted.end())
      left.push_back(g.id);
  return left;
}

struct prepare_options {
  enclosure by = enclosure::landlock; ///< has been probed by whoever asks
  /// False: only what is in force without confinement, that is limits, environment, temporary directory.
  bool confine = true;
  /// The caller's variables, `NAME=value`; left out: this process's own.
  std::optional<std::vector<std::string>> environment{};
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
  [[nodiscard]] const std::vector<stated_gap>& gaps() const;
  [[nodiscard]] const std::vector<mechanism>& mechanisms() const;
  [[nodiscard]] const std::vector<stated_limit>& limits() const;
  /// What the policy leaves of the environment, laid out for execve(2).
  [[nodiscard]] const char* const* environment() const;
  /// Names that cordon itself set there.
  [[nodiscard]] const std::vector<std::string>& added_environment() const;
  /// The directory that stands for `run_temp`; empty if the policy does not grant it.
  [[nodiscard]] const std::string& temp() const;
  /// What went wrong with a launch, in words.
  [[nodiscard]] std::string told(const linux_shim::failure& why) const;

private:
  struct parts;
  friend prepared prepare(const loaded_policy&, const prepare_options&);
  std::unique_ptr<parts> parts_;
};

/// Prepares a policy for this host. The policy must be resolved (`resolve`). Throws `refused` with the reason and the
/// place.
[[nodiscard]] prepared prepare(const loaded_policy& policy, const prepare_options& options = {});

} // namespace cordon
