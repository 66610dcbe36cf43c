// SPDX-License-Identifier: BSL-1.0
#include "attempt.hpp"

#include "../../common/decide.hpp"
#include "../../posix/wait_readable.hpp"
#include "../files/memory_file.hpp"

#include <cordon/run/reasons.hpp>

#include <fcntl.h>

#include <utility>

namespace cordon::linux_shim {

enclosure attempt::chosen() const {
  return input_.selected.result == selection::confined ? input_.here.by : enclosure::landlock;
}

void attempt::protect_settings(bool in_view) {
  if (input_.request.settings.root.empty()) return;
  if (!unprotected_) unprotected_ = input_.policy;
  input_.result.policy = in_view ? with_protected(*unprotected_, input_.request.settings.places) : *unprotected_;
}

void attempt::start_by(enclosure by, const callback<void(const report&)>& before_start) {
  const bool confine = input_.selected.result == selection::confined || input_.selected.apply_available_mechanisms;
  now_.reset();
  protect_settings(confine && by != enclosure::landlock);
  try {
    now_ = std::make_unique<started_run>(prepare_options{.by = by,
                                                         .confine = confine,
                                                         .environment = input_.request.environment,
                                                         .links = input_.links,
                                                         .settings = input_.request.settings.places,
                                                         .session = input_.request.session},
                                         input_.policy, input_.request, input_.result);
  } catch (const no_own_program&) {
    if (confine && by == enclosure::namespaces) throw no_namespaces{"the init process has no program"};
    throw;
  }
  now_->start(before_start);
}

bool attempt::finds_namespaces(const no_namespaces& none, bool may_try) const {
  // A full probe, for the reason and the remedy.
  const availability why = probe_backend(launcher_id::namespaces);
  if (why.untried) throw refused::because<reasons::no_namespaces>(none.why + "; " + why.why);
  if (why.available && may_try) return true;
  if (input_.request.asked.backend == launcher_id::namespaces)
    throw refused::because<reasons::no_namespaces>(why.available ? none.why : none.why + "; " + why.why);
  return false;
}

void attempt::select_another() {
  input_.here = probe_to_start(launcher_id::landlock);
  if (!input_.here.available && !input_.here.untried)
    if (const availability other = probe_to_start(launcher_id::bubblewrap); other.available) input_.here = other;
  input_.selected = shim::choose(input_.here, input_.request, input_.result);
}

void attempt::start(const callback<void(const report&)>& before_start) {
  constexpr int most_tries = 2; // if a full probe finds namespaces, a second start uses them
  for (int tries = 1; tries <= most_tries; ++tries) {
    try {
      return start_by(chosen(), before_start);
    } catch (const no_namespaces& none) {
      if (!finds_namespaces(none, tries < most_tries)) break;
    }
  }
  select_another();
  start_by(chosen(), before_start);
}

int attempt::duplicate_descriptor() const { return is_running() ? ::fcntl(descriptor(), F_DUPFD_CLOEXEC, 3) : -1; }

bool attempt::wait_for(std::uint32_t milliseconds) {
  return !is_running() || shim::wait_readable(descriptor(), milliseconds);
}

void attempt::cancel() {
  if (is_running()) now_->watch()->cancel();
}

void attempt::wake() { now_->watch()->wake(); }

} // namespace cordon::linux_shim
