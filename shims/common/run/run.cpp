// SPDX-License-Identifier: BSL-1.0
#include "../decide.hpp"
#include "../links/projects.hpp"
#include "../links/written_roots.hpp"
#include "attempt.hpp"

#include <cordon/run/availability.hpp>
#include <cordon/run/reasons.hpp>
#include <cordon/run/run.hpp>

#include <optional>
#include <string_view>
#include <utility>

namespace cordon {

struct process_run::parts {
  std::shared_ptr<void> held = shim::hold_for_run(); ///< destroyed last
  run_request request;
  report result;
  std::unique_ptr<shim::attempt> now;
  std::optional<run_stop_callback> on_stop; ///< destroyed before `now`
  bool stopped = false;

  /// Records what is known before a mechanism is selected.
  void begin_report();
  [[nodiscard]] std::vector<link_on_the_way> resolve_policy();
  void start(const callback<void(const report&)>& before_start);
  void end_refused(const char* why, std::string_view id, std::vector<std::string> values = {});
  /// Ends the tree, once, if stop was requested.
  void heed_stop();
  void forget_program() {
    on_stop.reset();
    now.reset();
  }
};

void process_run::parts::begin_report() {
  result.id = new_identity();
  result.argv = request.argv;
  result.project = request.project;
  result.session = request.session;
  result.published = request.publish;
  shim::check_texts(request);
  shim::complete(request.links);
  result.directory = shim::place_to_run_in(request);
}

/// Returns: the links on the policy's paths.
std::vector<link_on_the_way> process_run::parts::resolve_policy() {
  if (result.profile == profile::unrestricted) {
    result.policy = request.policy;
    return {};
  }
  for (const project_setting& s : request.settings.places) request.links.may_be_missing.push_back(s.place);
  shim::resolved_policy resolved = shim::resolve_here(request);
  result.policy = std::move(resolved.policy);
  if (const std::string list = shim::place_of_roots(); !list.empty()) hide_from_programs(*result.policy, list);
  return std::move(resolved.links);
}

void process_run::parts::end_refused(const char* why, std::string_view id, std::vector<std::string> values) {
  forget_program();
  result.ended = {};
  result.ended.why = why;
  result.ended.refusal = id;
  result.ended.refusal_values = std::move(values);
}

void process_run::parts::start(const callback<void(const report&)>& before_start) {
  begin_report();
  if (request.stop.stop_requested()) {
    result.ended.how = ending::interrupted;
    result.ended.why = "stop was requested before the start";
    return;
  }
  request.asked.profile = request.policy.profile;
  request.asked.fallback = request.policy.fallback;
  shim::check_supported(request);
  availability here = probe_to_start(request.asked.backend);
  const selection_result selected = shim::choose(here, request, result);
  std::vector<link_on_the_way> links = resolve_policy();
  const std::vector<std::string> words = shim::words_for_guard(request.argv);
  shim::check_words(*result.policy, request, std::vector<std::string_view>(words.begin(), words.end()), result);
  now = shim::make_attempt({*result.policy, std::move(links), request, result, std::move(here), selected});
  if (selected.result == selection::confined || selected.apply_available_mechanisms)
    shim::remember_roots(*result.policy, request.project);
  result.ended.how = ending::started; // a report that cordon cannot complete must not say that nothing ran
  now->start(before_start);
  if (now->is_running() && request.stop.stop_possible()) on_stop.emplace(request.stop, [this] { now->wake(); });
}

void process_run::parts::heed_stop() {
  if (!now || !request.stop.stop_requested() || std::exchange(stopped, true)) return;
  now->cancel();
}

process_run::process_run(run_request request, const callback<void(const report&)>& before_start) : parts_(new parts()) {
  parts_->request = std::move(request);
  try {
    parts_->start(before_start);
  } catch (const refused& e) { parts_->end_refused(e.what(), e.id(), e.values()); } catch (const std::exception& e) {
    parts_->end_refused(e.what(), reasons::start_failed.id);
  }
}
process_run::process_run(process_run&&) noexcept = default;
process_run& process_run::operator=(process_run&&) noexcept = default;
process_run::~process_run() = default;

int process_run::descriptor() const { return parts_ && parts_->now ? parts_->now->descriptor() : -1; }
int process_run::duplicate_descriptor() const {
  return parts_ && parts_->now ? parts_->now->duplicate_descriptor() : -1;
}
bool process_run::advance() {
  if (!parts_ || !parts_->now) return true;
  parts_->heed_stop();
  return parts_->now->advance();
}
bool process_run::wait_for(std::uint32_t milliseconds) {
  return !parts_ || !parts_->now || parts_->now->wait_for(milliseconds);
}
progress process_run::so_far() const { return parts_ && parts_->now ? parts_->now->so_far() : progress(); }
bool process_run::is_interactive() const { return parts_ && parts_->now && parts_->now->is_interactive(); }

std::optional<std::size_t> process_run::write_input(std::string_view bytes) {
  return parts_ && parts_->now ? parts_->now->write_input(bytes) : std::nullopt;
}
int process_run::input_descriptor() const { return parts_ && parts_->now ? parts_->now->input_descriptor() : -1; }
void process_run::close_input() {
  if (parts_ && parts_->now) parts_->now->close_input();
}

void process_run::cancel() {
  if (parts_ && parts_->now) parts_->now->cancel();
}

report process_run::wait() {
  while (!advance()) (void)wait_for(shim::attempt::for_ever);
  return take();
}

report process_run::take() {
  if (!parts_) return shim::empty_report(reasons::moved_from);
  if (parts_->now && parts_->now->is_running()) parts_->now->complete_report();
  parts_->forget_program();
  return std::exchange(parts_->result, shim::empty_report(reasons::taken_before));
}

report cordon::abi_0::run(run_request request, const callback<void(const report&)>& before_start) {
  return process_run(std::move(request), before_start).wait();
}

} // namespace cordon
