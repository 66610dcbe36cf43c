// SPDX-License-Identifier: BSL-1.0
/// What a view needs beside the rules of its policy.
#pragma once

#include <cordon/run/links/links.hpp>
#include <cordon/run/project/protected_settings.hpp>

#include <string>
#include <vector>

namespace cordon::linux_shim {

struct view_options {
  std::string temp{};                      ///< the real directory of `run_temp`
  std::vector<link_on_the_way> links{};    ///< added if the view lacks them
  std::vector<project_setting> settings{}; ///< what takes the paths of those that are missing
  bool at_tmp = false;                     ///< `temp` is /tmp as well; bwrap's view ignores it
};

} // namespace cordon::linux_shim
