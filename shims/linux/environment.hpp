// SPDX-License-Identifier: BSL-1.0
/// The environment of a child, laid out for execve(2).
#pragma once

#include <cordon/heap.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace cordon::linux_shim {

/// What the policy lets pass of the caller's variables, what it sets, and what cordon adds for the run.
class environment {
public:
  environment() = default;
  /// `temp`: the run's temporary directory, or empty. What is confined is told to do without servers that others share.
  environment(const loaded_policy& p, const std::vector<std::string>& callers, const std::string& temp, bool confined);

  /// Ends with a null pointer. Valid as long as this object is neither changed nor moved.
  [[nodiscard]] const char* const* data() const { return pointers_.data(); }
  [[nodiscard]] const std::vector<std::string>& added() const { return added_; }

private:
  void set(const std::string& name, const std::string& value);
  void add(const std::string& name, const std::string& value);

  std::vector<std::string> all_, added_;
  std::vector<const char*> pointers_{nullptr};
};

/// This process's own, as `NAME=value`.
[[nodiscard]] std::vector<std::string> own_environment();

/// The value of a variable, or an empty text.
[[nodiscard]] std::string value_of(const char* const* environment, std::string_view name);

} // namespace cordon::linux_shim
