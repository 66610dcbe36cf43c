// SPDX-License-Identifier: BSL-1.0
/// Observes the calls that a filter refuses, when they are made (seccomp_unotify(2)), and makes some for the program.
#pragma once

#include "../child/descriptor.hpp"
#include "connect_supervisor.hpp"
#include "served_ports.hpp"

#include <cordon/backend/seccomp/arch.hpp>
#include <cordon/backend/seccomp/insn.hpp>
#include <cordon/linux/launch.hpp>
#include <cordon/run/denials.hpp>

#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <span>
#include <thread>
#include <vector>

namespace cordon::linux_shim {

/// Answers each call as the plain filter would, except for served ports and supervised connections. Never lets the
/// kernel continue a call. The program waits for the answer. After the destruction of this object the kernel answers
/// ENOSYS. Where connections are supervised, a thread answers: a host that blocks its own thread does not stop them.
class denied_calls {
public:
  /// For launches with this confinement, which has a watched filter. The caller keeps the confinement and the policy
  /// alive. Throws: `refused`.
  denied_calls(const confinement& how, seccomp::arch cpu, const loaded_policy& policy);
  denied_calls(const denied_calls&) = delete;
  denied_calls& operator=(const denied_calls&) = delete;
  ~denied_calls();

  /// Resets the state after a failed launch, whose child may have sent a listener. Throws: `refused`.
  void renew();
  /// The descriptor for `command::watcher` of the launch.
  [[nodiscard]] int childs_end() const { return childs_end_.get(); }
  /// Call it after the launch. Receives the listener that the child has sent, if any.
  void begin();
  [[nodiscard]] bool sees() const { return seen_; }
  [[nodiscard]] bool connects() const { return connections_.has_value(); }
  /// Readable while a call waits for an answer of `respond`; -1: there will be none.
  [[nodiscard]] int descriptor() const { return answering_.joinable() ? -1 : listener_.get(); }
  /// Answers the calls that wait now. Does not block.
  void respond();
  /// Returns: the denied calls, in the order of their numbers.
  [[nodiscard]] std::vector<denial> all() const;

private:
  [[nodiscard]] bool answer_one();
  [[nodiscard]] bool answer(int events);
  void answer_until_stopped();

  std::span<const seccomp::insn> plain_;
  const loaded_policy& policy_;
  bool supervises_;
  served_ports served_;
  seccomp::arch cpu_;
  linux_shim::descriptor our_end_, childs_end_, listener_, stop_;
  bool seen_ = false;
  std::optional<connect_supervisor> connections_;
  mutable std::mutex mutex_; ///< for `times_`
  std::map<std::int32_t, std::uint64_t> times_;
  std::thread answering_;
};

} // namespace cordon::linux_shim
