// SPDX-License-Identifier: BSL-1.0
/// One run on Linux. It starts the program by the selected mechanism, or by another one if the host turns out to refuse
/// that.
#pragma once

#include "../../common/run/attempt.hpp"
#include "launch_failure.hpp"
#include "started_run.hpp"

#include <memory>
#include <optional>

namespace cordon::linux_shim {

class attempt final : public shim::attempt {
public:
  explicit attempt(shim::attempt_input input) : input_(std::move(input)) {}

  void start(const callback<void(const report&)>& before_start) override;
  [[nodiscard]] bool is_running() const override { return now_ && now_->watch() != nullptr; }
  [[nodiscard]] int descriptor() const override { return is_running() ? now_->watch()->descriptor() : -1; }
  [[nodiscard]] int duplicate_descriptor() const override;
  bool advance() override { return !is_running() || now_->watch()->advance(); }
  [[nodiscard]] bool wait_for(std::uint32_t milliseconds) override;
  [[nodiscard]] progress so_far() const override { return is_running() ? now_->watch()->so_far() : progress(); }
  [[nodiscard]] bool is_interactive() const override { return now_ && now_->is_interactive(); }
  void cancel() override;
  void wake() override;
  [[nodiscard]] std::optional<std::size_t> write_input(std::string_view bytes) override {
    return now_ ? now_->write_input(bytes) : std::nullopt;
  }
  [[nodiscard]] int input_descriptor() const override { return now_ ? now_->input_descriptor() : -1; }
  void close_input() override {
    if (now_) now_->close_input();
  }
  void complete_report() override { now_->complete_report(); }

private:
  /// Only a view can protect the settings of a project and leave the directories around them writable.
  void protect_settings(bool in_view);
  /// The mechanism of the next start.
  [[nodiscard]] enclosure chosen() const;
  void start_by(enclosure by, const callback<void(const report&)>& before_start);
  /// Explains a start without namespaces. Returns: may another start find them? Throws: `refused` if the run must have
  /// them.
  [[nodiscard]] bool finds_namespaces(const no_namespaces& none, bool may_try) const;
  /// Selects a mechanism without namespaces. Throws: `refused`.
  void select_another();

  shim::attempt_input input_;
  std::optional<loaded_policy> unprotected_;
  std::unique_ptr<started_run> now_;
};

} // namespace cordon::linux_shim
