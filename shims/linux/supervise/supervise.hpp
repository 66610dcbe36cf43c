// SPDX-License-Identifier: BSL-1.0
/// From the start of a program to the end of its whole tree, without ever waiting on anybody's behalf.
#pragma once

#include "../child/descriptor.hpp"
#include "denied_calls.hpp"
#include "relay.hpp"
#include "terminal.hpp"
#include "waiting.hpp"

#include <cordon/linux/control_group.hpp>
#include <cordon/linux/launch.hpp>
#include <cordon/policy/limits.hpp>
#include <cordon/run/run.hpp>

#include <array>
#include <csignal>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace cordon::linux_shim {

/// The first towards the program.
using relays = std::array<relay, 4>;

/// What a process that exists for one run alone does for it: it inherits the orphans of its descendants, and takes the
/// signals that ask it to end (SIGHUP, SIGINT, SIGQUIT, SIGTERM) as events, and that its terminal has a new size
/// (SIGWINCH). To be made before the launch, in a single-threaded process: the end of the tree is the end of every child
/// that is new since.
class process_wide_state {
public:
  /// `alone`: nobody outlives the child, so that there is nobody to inherit.
  explicit process_wide_state(bool alone);
  ~process_wide_state();
  process_wide_state(const process_wide_state&) = delete;
  process_wide_state& operator=(const process_wide_state&) = delete;

  [[nodiscard]] int signals() const { return signals_.get(); }
  /// The next signal; 0: none.
  [[nodiscard]] int take() const;
  void end_orphans() const;

private:
  sigset_t set_;
  std::optional<std::vector<int>> others_; ///< children that there were before; none: nobody is inherited
  descriptor signals_;
};

class supervision {
public:
  /// None of these is owned, and each may be null. `own`: the program's terminal, which is to have the size of the
  /// person's.
  struct surroundings {
    const process_wide_state* process = nullptr;
    const terminal* own = nullptr;
    const control_group* group = nullptr;
    denied_calls* denied = nullptr;
  };
  supervision(const surroundings& around, const limits& held);
  ~supervision();
  supervision(const supervision&) = delete;
  supervision& operator=(const supervision&) = delete;

  /// Of this program. `status`: what tells how it ended, where the child is the first process of its namespaces; `alone`:
  /// the end of the child is the end of everybody.
  void begin(const launched& child, relays all, descriptor status, bool alone);
  /// Readable while there is something to do.
  [[nodiscard]] int descriptor() const { return waiting_.descriptor(); }
  void wait() const { waiting_.wait(); }
  /// Does what can be done without waiting: true once it is over.
  bool advance();
  /// Ends the tree.
  void cancel() { ask_to_end(SIGKILL); }
  [[nodiscard]] const outcome& result() const { return result_; }
  [[nodiscard]] progress so_far() const;

private:
  enum class phase : std::uint8_t { running, draining, over };

  void pass_on();
  void note_lost_output();
  void take_signals();
  void ask_to_end(int signal);
  void keep_time();
  void tell(int signal) const;
  void kill(ending why, int number);
  void decide(ending how, int number);
  void finish();
  void expect();

  surroundings around_;
  limits held_;
  launched child_;
  linux_shim::descriptor pidfd_, first_, status_;
  std::vector<linux_shim::descriptor> dying_; ///< of the group: killed, and may not have gone yet
  relays all_;
  waiting waiting_;
  outcome result_;
  phase phase_ = phase::running;
  bool decided_ = false, alone_ = false;
  bool late_ = false; ///< the time for processes that still write is over, and what is owed is passed on
  std::uint64_t start_ = 0, deadline_ = waiting::never;
  std::uint64_t look_at_cpu_ = waiting::never; ///< when the tree may have used up its processor time
};

} // namespace cordon::linux_shim
