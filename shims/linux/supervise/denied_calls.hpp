// SPDX-License-Identifier: BSL-1.0
/// The calls that a filter refuses, seen when they are made (seccomp_unotify(2)).
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

/// Answers what the plain filter would have, but for ports that are served, and never that a call may go on. The program
/// stands still until then; once this object is gone the kernel answers ENOSYS.
class denied_calls {
public:
  /// Of launches with this confinement, which has a watched filter and stays the caller's, as does the policy. Throws
  /// `refused`.
  denied_calls(const confinement& how, seccomp::arch cpu, const loaded_policy& policy);

  /// Forgets a launch that failed: what its child has sent is of no use to the next one. Throws `refused`.
  void renew();
  /// `command::watcher` of the launch.
  [[nodiscard]] int childs_end() const { return childs_end_.get(); }
  /// After the launch: takes what the child has sent, if anything.
  void begin();
  [[nodiscard]] bool sees() const { return seen_; }
  /// Readable while somebody asks; -1: nobody ever will.
  [[nodiscard]] int descriptor() const { return listener_.get(); }
  /// Answers whoever asks now, without waiting for anybody.
  void respond();
  /// In the order of their numbers.
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
