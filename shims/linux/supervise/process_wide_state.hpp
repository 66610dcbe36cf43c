// SPDX-License-Identifier: BSL-1.0
/// What a process that exists for one run alone does with its signals and with orphans.
#pragma once

#include "../child/descriptor.hpp"

#include <csignal>
#include <optional>
#include <vector>

namespace cordon::linux_shim {

/// The state of a process that exists for one run alone. It inherits the orphans of its descendants. It takes signals
/// as events: those that request its end (SIGINT, SIGQUIT, SIGTERM), those that the program gets as well (SIGHUP,
/// SIGUSR1, SIGUSR2, SIGCONT, SIGTSTP), and SIGWINCH. Create it before the launch, in a single-threaded process. The end
/// of the tree is then the end of every later child.
class process_wide_state {
public:
  struct received {
    int number = 0; ///< 0: none
    /// Did the kernel send it, to all processes in the foreground of a terminal?
    bool by_terminal = false;
  };

  /// `alone`: no process outlives the child, so there is no orphan to inherit.
  explicit process_wide_state(bool alone);
  ~process_wide_state();
  process_wide_state(const process_wide_state&) = delete;
  process_wide_state& operator=(const process_wide_state&) = delete;

  [[nodiscard]] int signals() const { return signals_.get(); }
  /// Returns: the next signal.
  [[nodiscard]] received take() const;
  /// Stops this process, or all processes of its job, until SIGCONT. Does nothing if no other process could continue
  /// it: in a group without such a parent, the kernel discards a terminal's signals (POSIX.1, 2.4.3).
  static void stop(int signal, bool whole_job);
  /// Sends a signal to the other processes of the job, as a terminal does.
  static void signal_job(int signal);
  void end_orphans() const;

private:
  sigset_t set_;
  std::optional<std::vector<int>> others_; ///< children before the launch; none: this process inherits no orphans
  descriptor signals_;
};

} // namespace cordon::linux_shim
