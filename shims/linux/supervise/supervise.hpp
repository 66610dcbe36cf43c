// SPDX-License-Identifier: BSL-1.0
/// Supervises a program from its start to the end of its process tree, without blocking.
#pragma once

#include "../../common/run/first_ending.hpp"
#include "../calls/denied_calls.hpp"
#include "../child/descriptor.hpp"
#include "../publish/published_ports.hpp"
#include "process_wide_state.hpp"
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

/// The places of `relays` after those of the three streams.
enum relay_index : std::uint8_t { of_output = 3, of_controlling = 4, of_keys = 5 };

/// The first and the last lead to the program.
using relays = std::array<relay, 6>;

class supervision {
public:
  /// Not owned; each may be null. `output`, `controlling`: the program's terminals, which get the size of the user's.
  struct surroundings {
    const process_wide_state* process = nullptr;
    terminal* output = nullptr;
    terminal* controlling = nullptr;
    const control_group* group = nullptr;
    denied_calls* denied = nullptr;
    published_ports* ports = nullptr;
    bool may_be_woken = false; ///< by `wake`
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
  /// Makes `descriptor` readable. For any thread.
  void wake() const;
  /// Kills the tree.
  void cancel() { ask_to_end(SIGKILL, 0); }
  [[nodiscard]] const outcome& result() const { return result_; }
  [[nodiscard]] progress so_far() const;

private:
  enum class phase : std::uint8_t { running, draining, over };

  void pass_on();
  void note_lost_output();
  // Signals and terminals: job.cpp.
  void take_signals();
  void pass_signal(process_wide_state::received which);
  void ask_to_end(int signal, std::uint32_t to);
  void take_stops();
  void take_own_stop();
  void stopped(int signal);
  void suspend(int signal, bool whole_job);
  bool start_keys();
  void resize() const;
  /// `to`: of signal_target.hpp.
  void send(int signal, std::uint32_t to) const;

  void keep_time();
  void kill(ending why, int number);
  void finish();
  void expect();

  surroundings around_;
  limits held_;
  launched child_;
  linux_shim::descriptor pidfd_, first_, status_, woken_;
  std::vector<linux_shim::descriptor> dying_; ///< of the group: killed, but perhaps not gone yet
  relays all_;
  waiting waiting_;
  outcome result_;
  shim::first_ending ending_{result_};
  phase phase_ = phase::running;
  std::function<void(std::string_view)> key_listener_;
  std::optional<int> final_status_; ///< from the init process
  int asked_ = 0;                   ///< the signal that requested the end; 0: none
  bool alone_ = false;
  bool stop_passed_ = false; ///< the program got SIGTSTP from cordon
  bool interrupted_ = false; ///< the user has typed an interrupt
  bool late_ = false;        ///< the time limit after the end is over; only the bytes owed are still passed on
  std::uint64_t start_ = 0, deadline_ = waiting::never;
  std::uint64_t look_at_cpu_ = waiting::never; ///< the earliest time at which the tree can reach its CPU limit
};

} // namespace cordon::linux_shim
