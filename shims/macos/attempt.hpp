// SPDX-License-Identifier: BSL-1.0
/// One run on macOS. macOS has no process descriptors and no group that holds a process tree. Threads therefore wait
/// for the program, its streams and the clock, and wake the thread that waits for all of them.
#pragma once

#include "../common/attempt.hpp"
#include "../common/capture.hpp"
#include "../common/environment.hpp"
#include "../common/output_sink.hpp"
#include "../posix/descriptor.hpp"
#include "../posix/run_directory.hpp"
#include "prepared.hpp"
#include "tree.hpp"

#include <atomic>
#include <condition_variable>
#include <csignal>
#include <memory>
#include <mutex>
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

  void start(const std::function<void(const report&)>& before_start) override;
  [[nodiscard]] bool is_running() const override { return pid_ > 0; }
  [[nodiscard]] int descriptor() const override { return is_running() ? woken_.get() : -1; }
  [[nodiscard]] int duplicate_descriptor() const override;
  bool advance() override;
  [[nodiscard]] bool wait_for(std::uint32_t milliseconds) override;
  [[nodiscard]] progress so_far() const override;
  void cancel() override;
  void tell() override;

private:
  static constexpr std::uint64_t never = ~std::uint64_t{0};

  void give_input(command& what);
  void watch();
  void end(ending how, int number);
  void finish();
  void run_clock(const std::function<void()>& wake);
  void set_alarm(std::uint64_t moment);

  const loaded_policy& policy_;
  run_request& request_;
  report& told_;
  bool confined_;
  machine on_;
  shim::run_directory temp_, own_; ///< for the program, and for the probe and the profile
  std::unique_ptr<prepared> prepared_;
  shim::environment environment_;
  std::vector<bsd_shim::resource_limit> limits_;
  shim::output_sink output_sink_;
  shim::descriptor woken_, wakes_, input_, input_writes_, output_, error_, childs_output_, childs_error_, directory_,
      stop_, stops_; ///< closing it ends the readers, even if another process holds the streams
  std::optional<shim::capture> streams_;
  std::thread waiter_, clock_, writer_;
  std::mutex lock_;
  std::condition_variable changed_;
  std::uint64_t alarm_ = never; ///< for the clock, like the next one
  bool is_over_ = false;
  std::atomic<bool> ended_{false}, late_{false};
  int pid_ = -1;
  std::uint64_t start_ = 0;
  std::vector<struct sigaction> before_; ///< former signal handlers of this process
  bool decided_ = false, gone_ = false;
};

} // namespace cordon::macos_shim
