// SPDX-License-Identifier: BSL-1.0
/// The paths to check. Policy and rules are step functions, constant between their boundary paths. The boundary paths,
/// all directories above them, and a child and a grandchild of each therefore cover every case.
#pragma once

#include "../policy/path.hpp"
#include "../policy/policy.hpp"

#include <set>
#include <string>

namespace cordon::verifying {

/// The paths to check for a policy and its rules. O(components of all boundaries).
template <class S, class Rules>
[[nodiscard]] std::set<std::string> places_of(const basic_policy<S>& p, const Rules& rules) {
  std::set<std::string> all{"/"};
  const auto add = [&](std::string_view boundary) {
    std::string_view at = boundary;
    for (;; at = path::parent(at)) {
      const std::string inside = at == "/" ? "/" : std::string(at) + "/";
      all.insert({std::string(at), inside + "<child>", inside + "<child>/<grandchild>"});
      if (at == "/") break;
    }
    if (boundary != "/") all.insert(std::string(boundary) + "-");
  };
  add("/");
  const auto files = p.files();
  for (std::uint32_t i = 0; i < files.size(); ++i) add(files.place(i));
  each_place(rules, add);
  return all;
}

} // namespace cordon::verifying
