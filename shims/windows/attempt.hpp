// SPDX-License-Identifier: BSL-1.0
/// One run on Windows, from its input to the end of its process tree.
#pragma once

#include "../common/attempt.hpp"
#include "../common/environment.hpp"
#include "../common/output_sink.hpp"
#include "launch.hpp"
#include "pipes.hpp"
#include "system_lists.hpp"

#include <cordon/policy/heap.hpp>

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <thread>

namespace cordon::windows_shim {

/// The functions of this machine; a test replaces them.
struct machine {
  std::span<const stage> steps = stages();
  profile_calls calls = profile_calls::of_system();
  std::function<std::unique_ptr<list_store>()> lists = [] { return std::make_unique<system_lists>(); };
  std::filesystem::path journals = own_journals();
  HANDLE interrupted = nullptr; ///< an event; when it is signalled, the tree is to end

  /// Below the account's own data (%LOCALAPPDATA%).
  [[nodiscard]] static std::filesystem::path own_journals();
};

class attempt final : public shim::attempt {
public:
  /// `policy` must be resolved. Records in `r` what is in force. All three references must outlive this object. Throws:
  /// `refused`.
  attempt(const loaded_policy& policy, run_request& request, report& r, bool confined, machine on = {});
  ~attempt() override;

  void start(const std::function<void(const report&)>& before_start) override;
  [[nodiscard]] bool is_running() const override { return static_cast<bool>(program_); }
  [[nodiscard]] int descriptor() const override { return -1; }
  [[nodiscard]] int duplicate_descriptor() const override { return -1; }
  bool advance() override;
  [[nodiscard]] bool wait_for(std::uint32_t milliseconds) override;
  [[nodiscard]] progress so_far() const override;
  void cancel() override { end(ending::interrupted, killed); }
  void tell() override;

private:
  static constexpr std::uint64_t never = ~std::uint64_t{0}, patience = 100'000'000;
  static constexpr int killed = 9; // the reported signal of a tree that was ended: SIGKILL

  void give_input(command& what);
  [[nodiscard]] DWORD give_files(const container& own);
  void end(ending how, int number);
  void finish();

  const loaded_policy& policy_;
  run_request& request_;
  report& told_;
  bool confined_;
  machine on_;
  cordon::appcontainer::rules<heap> rules_;
  confinement how_;
  command what_;
  shim::environment environment_;
  std::unique_ptr<list_store> lists_;
  handle announced_;
  std::optional<granted> files_;
  handle input_, input_writes_;
  std::thread writer_;
  std::optional<captured> output_;
  shim::output_sink output_sink_;
  launched program_;
  std::uint64_t start_ = 0, deadline_ = never;
  bool decided_ = false, gone_ = false;
};

} // namespace cordon::windows_shim
