// SPDX-License-Identifier: BSL-1.0
/// One run on macOS. macOS has no process descriptors and no group that holds a process tree. Threads therefore wait
/// for the program, its streams and the clock, and wake the thread that waits for all of them.
#pragma once

#include "../common/environment.hpp"
#include "../common/run/attempt.hpp"
#include "../common/run/captured_run.hpp"
#include "../common/run/found_program.hpp"
#include "../posix/pipe.hpp"
#include "../posix/run_directory.hpp"
#include "deadline.hpp"
#include "end_signals.hpp"
#include "nested_arguments.hpp"
#include "prepared.hpp"
#include "streams.hpp"
#include "tree.hpp"

#include <atomic>
#include <memory>
#include <optional>
#include <thread>
#include <vector>

namespace cordon::macos_shim {

/// The functions of this machine; a test replaces them.
struct machine {
  launched (*launch)(const command&, const confinement&) noexcept = macos_shim::launch;
  launched (*launch_plain)(const command&) noexcept = macos_shim::launch_plain;
  process_lists all;
};

class attempt final : public shim::attempt {
public:
  /// `policy` must be resolved. Records in `r` what is in force. All three references must outlive this object. Throws:
  /// `refused`.
  attempt(const loaded_policy& policy, run_request& request, report& r, bool confined, machine on = {});
  ~attempt() override;

  void start(const callback<void(const report&)>& before_start) override;
  [[nodiscard]] bool is_running() const override { return pid_ > 0; }
  [[nodiscard]] int descriptor() const override { return is_running() ? wake_.from.get() : -1; }
  [[nodiscard]] int duplicate_descriptor() const override;
  bool advance() override;
  [[nodiscard]] bool wait_for(std::uint32_t milliseconds) override;
  [[nodiscard]] progress so_far() const override { return run_.so_far(gone_ ? 0 : pid_); }
  void cancel() override { end(ending::interrupted, shim::captured_run::killed); }
  void wake() override;
  void complete_report() override { run_.complete_report(); }

private:
  /// Makes the profile, and records what it leaves open.
  void confine();
  void make_environment();
  void open_directory();
  [[nodiscard]] words_to_start words_of(const shim::found_program& program) const;
  [[nodiscard]] launched launch(const shim::found_program& program, std::vector<std::string>& words);
  /// Throws: `refused`, unless the program exists and cannot be executed.
  void report_failure(const failure& why, const std::string& program);
  /// From now on every event is a byte in one pipe.
  void watch();
  void take_events();
  void end(ending how, int number);
  void finish();

  const loaded_policy& policy_;
  run_request& request_;
  report& report_;
  bool confined_;
  machine on_;
  shim::run_directory temp_, own_; ///< for the program, and for the probe and the profile
  std::unique_ptr<prepared> prepared_;
  shim::environment environment_;
  std::vector<bsd_shim::resource_limit> limits_;
  shim::captured_run run_;
  shim::pipe_ends wake_;
  shim::descriptor directory_;
  streams streams_;
  std::thread waiter_;
  deadline deadline_;
  std::atomic<bool> ended_{false};
  int pid_ = -1;
  std::optional<end_signals> signals_;
  bool gone_ = false;
};

} // namespace cordon::macos_shim
