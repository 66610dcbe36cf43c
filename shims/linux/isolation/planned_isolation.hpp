// SPDX-License-Identifier: BSL-1.0
/// From the rules of a policy to the isolation of its programs, in the parent.
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

/// The isolation that the rules of a policy ask for, with all that it points at.
class planned_isolation {
public:
  /// Looks at every place that the view shows. Throws `refused`, as `view` does.
  planned_isolation(const on_linux::rules<heap>& rules, const std::string& temp,
                    const std::vector<link_on_the_way>& links = {});
  /// The same by bwrap. Throws `refused` also where there is none that could be trusted.
  planned_isolation(const on_linux::rules<heap, on_linux::bwrap_view>& rules, const std::string& temp,
                    const std::vector<link_on_the_way>& links = {});
  /// Lets these files alone be executed. Without Landlock's rules nothing changes.
  void narrow_to(const std::vector<std::string>& programs);
  planned_isolation(const planned_isolation&) = delete;
  planned_isolation& operator=(const planned_isolation&) = delete;

  [[nodiscard]] const isolation& get() const { return it_; }
  /// What the view could not do, where a launch failed there.
  [[nodiscard]] std::string describe_step(std::uint32_t part) const {
    return view_ ? view_->describe_step(part) : "look at it";
  }

private:
  template <class View> void plan(const on_linux::rules<heap, View>& rules, const std::string& temp);
  void add_rules(const landlock::rules<heap>& files, const std::string& temp);

  std::optional<view> view_;
  std::optional<planned_wrapper> wrapper_;
  std::deque<std::string> texts_;
  std::vector<own_rule> rules_;
  std::string user_map_, group_map_;
  isolation it_;
};

/// The line that maps an id outside to the same inside; the real root, who owns the machine's files and settings, to
/// nobody: what looks like root inside would be taken for one.
[[nodiscard]] std::string id_map(unsigned outside);

/// The program of the first process, made at the first call. Throws as `own_program` does.
[[nodiscard]] int reaper_program();

/// The reading end of a pipe that nobody writes to; its end is the end of this process. Made at the first call.
[[nodiscard]] int lifeline();

} // namespace cordon::linux_shim
