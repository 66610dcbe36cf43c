// SPDX-License-Identifier: BSL-1.0
/// What a program gets as stdin, stdout and stderr.
#pragma once

#include "supervise.hpp"
#include "terminal.hpp"

#include <cordon/heap.hpp>

#include <memory>

namespace cordon::linux_shim {

/// Cordon's own three as they are, but for those that go through cordon: what is counted; sockets, which handed over would
/// be a way out that no filter sees; terminals, of which the program gets one of its own or none; and files of which the
/// policy gives less than of what lies around them, since a descriptor leads past the mounts that see to it.
class streams {
public:
  /// Changes `what` so that the program gets its ends. `own`: see `terminal::make`. What is not confined gets everything
  /// that is not counted. Throws `refused` for a directory, which
  /// no mount of the program's would keep from leading out of its view.
  streams(const loaded_policy& p, const terminal* own, bool confined, command& what);

  /// Once the child has its copies.
  void forget_childs_ends() { childs_ = {}; }
  [[nodiscard]] relays take() { return std::move(relays_); }

private:
  void pass_through(int which, bool counted, command& what);
  void pass_terminal(int which, const terminal* own, command& what);

  relays relays_;
  std::array<descriptor, 3> childs_;
};

} // namespace cordon::linux_shim
