// SPDX-License-Identifier: BSL-1.0
/// One launch of a run's program, and what exists for as long as the program runs.
#pragma once

#include "../calls/denied_calls.hpp"
#include "../prepare/program.hpp"
#include "streams.hpp"
#include "supervise.hpp"
#include "terminal.hpp"

#include <cordon/linux/control_group.hpp>
#include <cordon/linux/launch.hpp>
#include <cordon/linux/prepare.hpp>
#include <cordon/policy/heap.hpp>
#include <cordon/run/run.hpp>

#include <functional>
#include <memory>
#include <optional>
#include <string_view>

namespace cordon::linux_shim {

class started_run {
public:
  /// Prepares the launch, and records in `r` what is in force. `p` must be resolved; all references must outlive this
  /// object. Throws: `refused`.
  started_run(const prepare_options& how, const loaded_policy& p, run_request& request, report& r);

  /// Starts the program. Throws: `no_namespaces` (launch_failure.hpp), `refused`.
  void start(const callback<void(const report&)>& before_start);
  /// Returns: null if no program runs.
  [[nodiscard]] supervision* watch() const { return watch_.get(); }
  /// See `process_run`.
  [[nodiscard]] std::optional<std::size_t> write_input(std::string_view bytes);
  [[nodiscard]] int input_descriptor() const { return through_ ? through_->input().get() : -1; }
  void close_input() const {
    if (through_) through_->close_input();
  }
  /// Does a user type on a terminal of the program?
  [[nodiscard]] bool is_interactive() const { return own_.controlling != nullptr && own_.controlling->has_keys(); }
  /// Completes the report, once the run is over.
  void complete_report();

private:
  void state_gaps();
  void state_environment();
  [[nodiscard]] command command_for(const found_program& program);
  /// Makes the terminal, the streams and the supervision, and gives the program its ends of them.
  void surround(command& what);
  void make_terminals(command& what);
  /// Takes the terminal that the init process has made.
  void receive_terminal();
  /// Launches once, or again after a temporary lack of a resource.
  [[nodiscard]] launched launch_patiently(command& what);
  /// Closes the program's ends of everything after a launch.
  void forget_childs_ends();

  const loaded_policy& policy_;
  run_request& request_;
  report& report_;
  enclosure by_;
  bool confined_, isolated_, on_its_own_;
  // Destroyed in reverse order.
  control_group group_;
  prepared ready_;
  std::unique_ptr<terminal> output_, on_demand_;
  own_terminals own_;
  descriptor terminal_from_, terminal_to_; ///< the socket for the terminal that the init process makes
  std::unique_ptr<streams> through_;
  std::unique_ptr<process_wide_state> process_;
  std::unique_ptr<denied_calls> denied_;
  std::unique_ptr<published_ports> ports_;
  std::unique_ptr<supervision> watch_;
};

} // namespace cordon::linux_shim
