// SPDX-License-Identifier: BSL-1.0
/// bwrap(1) as the maker of namespaces and mounts, where a host gives them to it and not to us.
#pragma once

#include "../child/descriptor.hpp"
#include "isolation.hpp"
#include "mount_points.hpp"

#include <cordon/backend/bubblewrap.hpp>
#include <cordon/policy/heap.hpp>
#include <cordon/run/links.hpp>

#include <string>
#include <vector>

namespace cordon::linux_shim {

/// Everything that bwrap is given beside the program, with all that it points at. Its arguments are read from a file, so
/// that no list of processes shows the places of a policy.
class planned_wrapper {
public:
  /// Opens every place that the view shows, following no link: bwrap binds what was opened, whatever has its name by
  /// then. Throws `refused`, also where no bwrap is installed that root alone may write.
  planned_wrapper(const bubblewrap::rules<heap>& rules, const std::string& temp,
                  const std::vector<link_on_the_way>& links);
  planned_wrapper(const planned_wrapper&) = delete;
  planned_wrapper& operator=(const planned_wrapper&) = delete;

  [[nodiscard]] const wrapper& get() const { return it_; }

private:
  mount_points points_;
  descriptor program_, arguments_;
  std::vector<descriptor> open_;
  std::vector<int> places_;
  wrapper it_;
};

} // namespace cordon::linux_shim
