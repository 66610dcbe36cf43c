// SPDX-License-Identifier: BSL-1.0
#include "attempt.hpp"
#include "decide.hpp"

#include <cordon/run/availability.hpp>
#include <cordon/run/run.hpp>

#include <utility>

namespace cordon {

struct process_run::parts {
  run_request request;
  report result;
  std::unique_ptr<shim::attempt> now;

  void start(const std::function<void(const report&)>& before_start);
};

void process_run::parts::start(const std::function<void(const report&)>& before_start) {
  report& r = result;
  r.id = new_identity();
  r.argv = request.argv;
  r.project = request.project;
  shim::check_texts(request);
  r.directory = shim::place_to_run_in(request);
  request.asked.profile = request.policy.profile;
  request.asked.fallback = request.policy.fallback;
  const selection_result d = shim::choose(probe_to_start(request.asked.backend), request, r);
  r.policy = r.profile == profile::unrestricted ? request.policy : shim::resolve_here(request);
  const std::vector<std::string> words = shim::words_for_guard(request.argv);
  shim::check_words(*r.policy, request, std::vector<std::string_view>(words.begin(), words.end()), r);
  now = shim::make_attempt(*r.policy, request, r, d.result == selection::confined);
  now->start(before_start);
}

process_run::process_run(run_request request, const std::function<void(const report&)>& before_start)
    : parts_(std::make_unique<parts>()) {
  parts_->request = std::move(request);
  try {
    parts_->start(before_start);
  } catch (const std::exception& e) {
    parts_->now.reset();
    parts_->result.ended = {};
    parts_->result.ended.why = e.what();
  }
}
process_run::process_run(process_run&&) noexcept = default;
process_run& process_run::operator=(process_run&&) noexcept = default;
process_run::~process_run() = default;

int process_run::descriptor() const { return parts_ && parts_->now ? parts_->now->descriptor() : -1; }
int process_run::duplicate_descriptor() const {
  return parts_ && parts_->now ? parts_->now->duplicate_descriptor() : -1;
}
bool process_run::advance() { return !parts_ || !parts_->now || parts_->now->advance(); }
bool process_run::wait_for(std::uint32_t milliseconds) {
  return !parts_ || !parts_->now || parts_->now->wait_for(milliseconds);
}
progress process_run::so_far() const { return parts_ && parts_->now ? parts_->now->so_far() : progress(); }
bool process_run::is_interactive() const { return false; }

void process_run::cancel() {
  if (parts_ && parts_->now) parts_->now->cancel();
}

report process_run::wait() {
  while (!advance()) (void)wait_for(shim::attempt::for_ever);
  return take();
}

report process_run::take() {
  if (!parts_) return shim::empty_report(shim::moved_from);
  if (parts_->now && parts_->now->is_running()) parts_->now->tell();
  parts_->now.reset();
  return std::exchange(parts_->result, shim::empty_report(shim::taken_before));
}

} // namespace cordon
