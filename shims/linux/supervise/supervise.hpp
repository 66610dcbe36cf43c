// SPDX-License-Identifier: BSL-1.0
/// Supervises a program from its start to the end of its process tree, without blocking.
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

/// The first leads to the program.
using relays = std::array<relay, 4>;

/// The state of a process that exists for one run alone. It inherits the orphans of its descendants. It takes as events
/// the signals that request its end (SIGHUP, SIGINT, SIGQUIT, SIGTERM), and the one for a new terminal size (SIGWINCH).
/// Create it before the launch, in a single-threaded process. The end of the tree is then the end of every later child.
class process_wide_state {
public:
  /// `alone`: no process outlives the child, so there is no orphan to inherit.
  explicit process_wide_state(bool alone);
  ~process_wide_state();
  process_wide_state(const process_wide_state&) = delete;
  process_wide_state& operator=(const process_wide_state&) = delete;

  [[nodiscard]] int signals() const { return signals_.get(); }
  /// Returns: the next signal; 0: none.
  [[nodiscard]] int take() const;
  void end_orphans() const;

private:
  sigset_t set_;
  std::optional<std::vector<int>> others_; ///< children before the launch; none: this process inherits no orphans
  descriptor signals_;
};

class supervision {
public:
  /// Not owned; each may be null. `own`: the program's terminal, which gets the size of the user's.
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

  /// Starts to supervise a program. `status`: delivers the program's wait status, if the child is the init process of
  /// its namespaces. `alone`: the end of the child is the end of the whole tree.
  void begin(const launched& child, relays all, descriptor status, bool alone);
  /// Readable while `advance` has work to do.
  [[nodiscard]] int descriptor() const { return waiting_.descriptor(); }
  void wait() const { waiting_.wait(); }
  /// Does the pending work without blocking. Returns: true once the run is over.
  bool advance();
  /// Kills the tree.
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
  std::vector<linux_shim::descriptor> dying_; ///< of the group: killed, but perhaps not gone yet
  relays all_;
  waiting waiting_;
  outcome result_;
  phase phase_ = phase::running;
  bool decided_ = false, alone_ = false;
  bool late_ = false; ///< the time limit after the end is over; only the bytes owed are still passed on
  std::uint64_t start_ = 0, deadline_ = waiting::never;
  std::uint64_t look_at_cpu_ = waiting::never; ///< the earliest time at which the tree can reach its CPU limit
};

} // namespace cordon::linux_shim
