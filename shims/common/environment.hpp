// SPDX-License-Identifier: BSL-1.0
/// The environment of a child process.
#pragma once

#include <cordon/policy/heap.hpp>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace cordon::shim {

/// The caller's variables that the policy passes, those that it sets, and those that cordon adds for the run.
class environment {
public:
  environment() = default;
  /// `temp`: the run's temporary directory, or empty. `confined`: turns off build servers that other builds share.
  /// `runtime`: the run's directory for sockets, or empty.
  environment(const loaded_policy& p, const std::vector<std::string>& callers, const std::string& temp, bool confined,
              const std::string& runtime = {});

  /// Sets the proxy variables: the proxy at this port of localhost, for all hosts but localhost.
  void name_proxy(std::uint16_t port);

  /// In the form of execve(2), with a null pointer at the end. Valid until this object is changed or moved.
  [[nodiscard]] const char* const* data() const { return pointers_.data(); }
  /// `NAME=value`.
  [[nodiscard]] const std::vector<std::string>& all() const { return all_; }
  /// Names of the variables that cordon set.
  [[nodiscard]] const std::vector<std::string>& added() const { return added_; }
  /// Names of the caller's variables that are missing, each once, sorted.
  [[nodiscard]] const std::vector<std::string>& dropped() const { return dropped_; }
  /// Returns: the names of all variables.
  [[nodiscard]] std::vector<std::string> names() const;

private:
  void set(const std::string& name, const std::string& value);
  void add(const std::string& name, const std::string& value);
  void lay_out();

  std::vector<std::string> all_, added_, dropped_;
  std::vector<const char*> pointers_{nullptr};
};

/// The environment of this process, as `NAME=value`; each system's shim implements it.
[[nodiscard]] std::vector<std::string> own_environment();

/// Returns: the value of a variable, or an empty text.
[[nodiscard]] std::string value_of(const char* const* environment, std::string_view name);

} // namespace cordon::shim
