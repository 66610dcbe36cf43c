// SPDX-License-Identifier: BSL-1.0
#include "request.hpp"
#include "wake.hpp"

#include <cordon/run/report.hpp>

#include <climits>
#include <memory>

using cordon::c::give;
using cordon::c::guarded;
using cordon::c::needed;

struct cordon_run {
  explicit cordon_run(const cordon_request* request) : program(cordon::c::request_of(request)) {}

  cordon::c::wake cancelled;
  cordon::process_run program;
  bool is_taken = false;
};

namespace {

constexpr std::uint32_t for_ever = ~std::uint32_t{0};

/// Does the work that there is, then waits for more and does that. Returns: is the run over?
[[nodiscard]] bool advance(cordon_run& run, std::uint32_t milliseconds) {
  if (run.cancelled.is_called()) run.program.cancel();
  if (run.program.advance()) return true;
  run.cancelled.wait(run.program, milliseconds);
  if (run.cancelled.is_called()) run.program.cancel();
  return run.program.advance();
}

[[nodiscard]] int wait(cordon_run& run, char** report) {
  if (run.is_taken) throw std::logic_error("cordon_run_wait: the report of this run was taken before; free the run");
  while (!advance(run, for_ever)) {}
  const cordon::report made = run.program.take();
  run.is_taken = true;
  give(report, cordon::to_json(made));
  const int status = cordon::exit_status(made.ended);
  return status < 0 ? INT_MAX : status; // Windows has 32 bits
}

} // namespace

cordon_run* cordon_run_start(const cordon_request* request, char** error) {
  return guarded(error, static_cast<cordon_run*>(nullptr), [&] { return new cordon_run(request); });
}

int cordon_run_advance(cordon_run* run, uint32_t milliseconds, char** error) {
  return guarded(error, -1, [&] { return advance(needed(run, "cordon_run_advance: run"), milliseconds) ? 1 : 0; });
}

int cordon_run_wait(cordon_run* run, char** report, char** error) {
  if (report != nullptr) *report = nullptr;
  return guarded(error, -1, [&] { return wait(needed(run, "cordon_run_wait: run"), report); });
}

void cordon_run_cancel(cordon_run* run) {
  if (run != nullptr) run->cancelled.call();
}

void cordon_run_free(cordon_run* run) { delete run; }

int cordon_run_to_end(const cordon_request* request, char** report, char** error) {
  if (report != nullptr) *report = nullptr;
  return guarded(error, -1, [&] {
    cordon_run run(request);
    return wait(run, report);
  });
}
