// SPDX-License-Identifier: BSL-1.0
#include "attempt.hpp"
#include "decide.hpp"

#include <cordon/run/availability.hpp>
#include <cordon/run/run.hpp>

#include <utility>

namespace cordon {

struct running::parts {
  run_request request;
  report told;
  std::unique_ptr<shim::attempt> now;

  void start(const std::function<void(const report&)>& before_start);
};

void running::parts::start(const std::function<void(const report&)>& before_start) {
  report& r = told;
  r.id = new_identity();
  r.argv = request.argv;
  r.project = request.project;
  shim::check_texts(request);
  r.directory = shim::place_to_run_in(request);
  request.asked.profile = request.policy.profile;
  request.asked.fallback = request.policy.fallback;
  const decision d = shim::choose(probe_to_start(request.asked.backend), request, r);
  r.policy = r.profile == profile::unrestricted ? request.policy : shim::resolve_here(request);
  const std::vector<std::string> words = shim::words_for_guard(request.argv);
  shim::check_words(*r.policy, request, std::vector<std::string_view>(words.begin(), words.end()), r);
  now = shim::make_attempt(*r.policy, request, r, d.result == selection::confined);
  now->start(before_start);
}

running::running(run_request request, const std::function<void(const report&)>& before_start)
    : parts_(std::make_unique<parts>()) {
  parts_->request = std::move(request);
  try {
    parts_->start(before_start);
  } catch (const std::exception& e) {
    parts_->now.reset();
    parts_->told.ended = {};
    parts_->told.ended.why = e.what();
  }
}
running::running(running&&) noexcept = default;
running& running::operator=(running&&) noexcept = default;
running::~running() = default;

int running::descriptor() const { return parts_ && parts_->now ? parts_->now->descriptor() : -1; }
int running::duplicate_descriptor() const { return parts_ && parts_->now ? parts_->now->duplicate_descriptor() : -1; }
bool running::advance() { return !parts_ || !parts_->now || parts_->now->advance(); }
bool running::wait_for(std::uint32_t milliseconds) {
  return !parts_ || !parts_->now || parts_->now->wait_for(milliseconds);
}
progress running::so_far() const { return parts_ && parts_->now ? parts_->now->so_far() : progress(); }
bool running::is_interactive() const { return false; }

void running::cancel() {
  if (parts_ && parts_->now) parts_->now->cancel();
}

report running::wait() {
  while (!advance()) (void)wait_for(shim::attempt::for_ever);
  return take();
}

report running::take() {
  if (!parts_) return shim::empty_report(shim::moved_from);
  if (parts_->now && parts_->now->is_running()) parts_->now->tell();
  parts_->now.reset();
  return std::exchange(parts_->told, shim::empty_report(shim::taken_before));
}

} // namespace cordon
