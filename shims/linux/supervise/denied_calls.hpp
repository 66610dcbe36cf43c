// SPDX-License-Identifier: BSL-1.0
/// Observes the calls that a filter refuses, when they are made (seccomp_unotify(2)).
#pragma once

#include "../child/descriptor.hpp"
#include "served_ports.hpp"

#include <cordon/backend/seccomp/arch.hpp>
#include <cordon/backend/seccomp/insn.hpp>
#include <cordon/linux/launch.hpp>
#include <cordon/run/denials.hpp>

#include <cstdint>
#include <map>
#include <span>
#include <vector>

namespace cordon::linux_shim {

/// Answers each call as the plain filter would, except for served ports. Never lets the kernel continue a call. The
/// program waits for the answer. After the destruction of this object the kernel answers ENOSYS.
class denied_calls {
public:
  /// For launches with this confinement, which has a watched filter. The caller keeps the confinement and the policy
  /// alive. Throws: `refused`.
  denied_calls(const confinement& how, seccomp::arch cpu, const loaded_policy& policy);

  /// Resets the state after a failed launch, whose child may have sent a listener. Throws: `refused`.
  void renew();
  /// The descriptor for `command::watcher` of the launch.
  [[nodiscard]] int childs_end() const { return childs_end_.get(); }
  /// Call it after the launch. Receives the listener that the child has sent, if any.
  void begin();
  [[nodiscard]] bool sees() const { return seen_; }
  /// Readable while a call waits for an answer; -1: there will be none.
  [[nodiscard]] int descriptor() const { return listener_.get(); }
  /// Answers the calls that wait now. Does not block.
  void respond();
  /// Returns: the denied calls, in the order of their numbers.
  [[nodiscard]] std::vector<denial> all() const;

private:
  [[nodiscard]] bool answer_one();

  std::span<const seccomp::insn> plain_;
  served_ports served_;
  seccomp::arch cpu_;
  linux_shim::descriptor our_end_, childs_end_, listener_;
  bool seen_ = false;
  std::map<std::int32_t, std::uint64_t> times_;
};

} // namespace cordon::linux_shim
