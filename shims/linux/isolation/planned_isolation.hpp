// SPDX-License-Identifier: BSL-1.0
/// Turns the rules of a policy into the isolation of its programs, in the parent.
#pragma once

#include "bwrap.hpp"
#include "isolation.hpp"
#include "view.hpp"

#include <cordon/backend/linux.hpp>

#include <deque>
#include <optional>
#include <string>
#include <vector>

namespace cordon::linux_shim {

/// The isolation that the rules of a policy require, with all data that it points to.
class planned_isolation {
public:
  /// Looks at every path that the view shows. Throws: `refused`, as `view` does.
  planned_isolation(const on_linux::rules<heap>& rules, const view_options& options);
  /// The same by bwrap. Throws: `refused`, also without a trusted bwrap.
  planned_isolation(const on_linux::rules<heap, on_linux::bwrap_view>& rules, const view_options& options);
  /// Limits execution to these files. Without Landlock rules nothing changes.
  void narrow_to(const std::vector<std::string>& programs);
  planned_isolation(const planned_isolation&) = delete;
  planned_isolation& operator=(const planned_isolation&) = delete;

  [[nodiscard]] const isolation& get() const { return it_; }
  [[nodiscard]] const mount_points& points() const { return view_ ? view_->points() : wrapper_->points(); }
  /// Describes the failed step of the view, for messages.
  [[nodiscard]] std::string describe_step(std::uint32_t part) const {
    return view_ ? view_->describe_step(part) : "look at it";
  }

private:
  template <class View> void plan(const on_linux::rules<heap, View>& rules, const std::string& temp);
  /// Adds a rule for each path that every view has, whatever the policy grants.
  void add_private_rules(const landlock::rules<heap>& files, mounts::list shown);
  void add_rules(const landlock::rules<heap>& files, const std::string& temp);

  std::optional<view> view_;
  std::optional<planned_wrapper> wrapper_;
  std::deque<std::string> texts_;
  std::vector<own_rule> rules_;
  std::string user_map_, group_map_;
  isolation it_;
};

/// Returns: the line that maps an id outside to the same id inside. It maps the real root to 65534: the real root owns
/// the host's files and settings, and a program would take a mapped root for one with its power.
[[nodiscard]] std::string id_map(unsigned outside);

/// Returns: the reaper program, made at the first call. Throws: as `own_program`.
[[nodiscard]] int reaper_program();

/// Returns: the reading end of a pipe without writes. It reports end of file once this process ends. Made at the first
/// call.
[[nodiscard]] int lifeline();

} // namespace cordon::linux_shim
