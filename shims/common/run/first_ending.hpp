// SPDX-License-Identifier: BSL-1.0
/// Decides how a run ended: the first reason counts.
#pragma once

#include <cordon/run/outcome.hpp>

#include <utility>

namespace cordon::shim {

class first_ending {
public:
  /// `to` must outlive it.
  explicit first_ending(outcome& to) : to_(to) {}

  void decide(ending how, int number) {
    if (std::exchange(decided_, true)) return;
    to_.how = how;
    to_.number = number;
  }
  /// Output that arrives after the program has exited can still exceed its limit.
  void exceed_output() {
    if (to_.how != ending::exited) return;
    to_.how = ending::output_quota;
    to_.number = 0;
  }

private:
  outcome& to_;
  bool decided_ = false;
};

} // namespace cordon::shim
