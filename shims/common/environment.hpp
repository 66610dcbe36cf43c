// SPDX-License-Identifier: BSL-1.0
/// The environment of a child.
#pragma once

#include <cordon/policy/heap.hpp>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace cordon::shim {

/// What the policy lets pass of the caller's variables, what it sets, and what cordon adds for the run.
class environment {
public:
  environment() = default;
  /// `temp`: the run's temporary directory, or empty. What is confined is told to do without servers that others share.
  environment(const loaded_policy& p, const std::vector<std::string>& callers, const std::string& temp, bool confined);

  /// For programs that know of proxies: this one, on this machine, for everything but this machine.
  void name_proxy(std::uint16_t port);

  /// As execve(2) takes it: ends with a null pointer. Valid as long as this object is neither changed nor moved.
  [[nodiscard]] const char* const* data() const { return pointers_.data(); }
  /// `NAME=value`.
  [[nodiscard]] const std::vector<std::string>& all() const { return all_; }
  /// Names that cordon itself set.
  [[nodiscard]] const std::vector<std::string>& added() const { return added_; }
  /// Names of the caller's variables that are not there, each once, in order.
  [[nodiscard]] const std::vector<std::string>& dropped() const { return dropped_; }

private:
  void set(const std::string& name, const std::string& value);
  void add(const std::string& name, const std::string& value);
  void lay_out();

  std::vector<std::string> all_, added_, dropped_;
  std::vector<const char*> pointers_{nullptr};
};

/// This process's own, as `NAME=value`; each system's shim knows where they are.
[[nodiscard]] std::vector<std::string> own_environment();

/// The value of a variable, or an empty text.
[[nodiscard]] std::string value_of(const char* const* environment, std::string_view name);

} // namespace cordon::shim
