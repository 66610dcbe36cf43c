// SPDX-License-Identifier: BSL-1.0
/// The steps of a launch on OpenBSD.
#pragma once

#include "../bsd/steps.hpp"
#include "launch.hpp"

namespace cordon::openbsd_shim {

namespace detail {

using namespace bsd_shim;

template <class Setup> int close_others(Setup& e) noexcept {
  if (e.report != 3) {
    if (const int moved = e.os.dup2(e.report, 3); moved < 0) return -moved;
    e.report = 3;
  }
  if (const int error = e.os.fcntl(3, set_flags, close_on_exec); error < 0) return -error;
  const int closed = -e.os.closefrom(4);
  return closed == ebadf ? 0 : closed; // none is open
}

template <class Setup> int unveil_places(Setup& e) noexcept {
  if (e.how.place_count == 0) return einval;
  for (e.why.part = 0; e.why.part < e.how.place_count; ++e.why.part) {
    const unveiled& u = e.how.places[e.why.part];
    if (const int error = e.os.unveil(u.place, u.permissions); error < 0) return -error;
  }
  return 0;
}

/// Returns: 0 if the kernel refused a call with EPERM; otherwise EPERM, since the confinement is not in force.
[[nodiscard]] constexpr int refused(int answer) { return answer == -eperm ? 0 : eperm; }

template <class Setup> int lock_places(Setup& e) noexcept {
  if (const int error = e.os.unveil(nullptr, nullptr); error < 0) return -error;
  return refused(e.os.unveil("/", "r"));
}

/// No policy promises settime. Both sets of promises can only shrink, so requests for it must fail.
template <class Setup> int make_promises(Setup& e) noexcept {
  if (e.how.promises == nullptr || e.how.program_promises == nullptr) return einval;
  if (const int error = e.os.pledge(e.how.promises, e.how.program_promises); error < 0) return -error;
  if (const int error = refused(e.os.pledge("stdio exec settime", nullptr))) return error;
  return refused(e.os.pledge(nullptr, "stdio exec settime"));
}

template <class Setup> int become_program(Setup& e) noexcept {
  return -e.os.execve(e.what.path, e.what.argv, e.what.envp);
}

} // namespace detail

template <class Os>
inline constexpr bsd_shim::stage<bsd_shim::child_setup<Os, confinement>> stages[]{
    {bsd_shim::launch_stage::stdio, bsd_shim::set_stdio},
    {bsd_shim::launch_stage::directory, bsd_shim::change_directory},
    {bsd_shim::launch_stage::descriptors, detail::close_others},
    {bsd_shim::launch_stage::session, bsd_shim::leave_session},
    {bsd_shim::launch_stage::limits, bsd_shim::set_limits},
    {bsd_shim::launch_stage::signals, bsd_shim::reset_signals},
    {bsd_shim::launch_stage::places, detail::unveil_places},
    {bsd_shim::launch_stage::lock, detail::lock_places},
    {bsd_shim::launch_stage::promises, detail::make_promises},
    {bsd_shim::launch_stage::exec, detail::become_program},
};

template <class Os> launched launch(Os& os, const command& what, const confinement& how) noexcept {
  return bsd_shim::launch(os, what, how, stages<Os>);
}

} // namespace cordon::openbsd_shim
