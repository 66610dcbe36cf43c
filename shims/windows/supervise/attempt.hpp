// SPDX-License-Identifier: BSL-1.0
/// One run on Windows, from its input to the end of its process tree.
#pragma once

#include "../../common/environment.hpp"
#include "../../common/run/attempt.hpp"
#include "../../common/run/captured_run.hpp"
#include "../launch/pipes.hpp"
#include "given_files.hpp"
#include "machine.hpp"
#include "program_input.hpp"

#include <cordon/backend/appcontainer.hpp>
#include <cordon/policy/heap.hpp>

#include <functional>
#include <optional>
#include <string>

namespace cordon::windows_shim {

class attempt final : public shim::attempt {
public:
  /// `policy` must be resolved. Records in `r` what is in force. All three references must outlive this object. Throws:
  /// `refused`.
  attempt(const loaded_policy& policy, run_request& request, report& r, bool confined, machine on = {});
  ~attempt() override;

  void start(const callback<void(const report&)>& before_start) override;
  [[nodiscard]] bool is_running() const override { return static_cast<bool>(program_); }
  [[nodiscard]] int descriptor() const override { return -1; }
  [[nodiscard]] int duplicate_descriptor() const override { return -1; }
  bool advance() override;
  [[nodiscard]] bool wait_for(std::uint32_t milliseconds) override;
  [[nodiscard]] progress so_far() const override { return run_.so_far(gone_ ? 0 : program_.pid); }
  void cancel() override { end(ending::interrupted, shim::captured_run::killed); }
  void wake() override { ::SetEvent(output_->event()); }
  void complete_report() override;

private:
  /// Records what the container enforces.
  void state_plan(const plan<appcontainer::rules<heap>>& made);
  /// Throws: `refused` if the rules would change more than the policy's own files.
  void check_changes() const;
  void lay_out(const std::string& program);
  [[nodiscard]] DWORD give_files(const container& own);
  void launch_program();
  /// Throws: `refused`, unless the program is unconfined and cannot be executed.
  void report_failure(const std::string& program);
  void take_events();
  void end(ending how, int number);
  void finish();

  const loaded_policy& policy_;
  run_request& request_;
  report& report_;
  bool confined_;
  machine on_;
  appcontainer::rules<heap> rules_;
  confinement how_;
  command what_;
  shim::environment environment_;
  given_files files_;
  program_input input_;
  std::optional<captured> output_;
  shim::captured_run run_;
  launched program_;
  std::uint64_t deadline_ = shim::never;
  bool gone_ = false;
};

} // namespace cordon::windows_shim
