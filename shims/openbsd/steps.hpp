// SPDX-License-Identifier: BSL-1.0
/// The steps of a launch on OpenBSD.
#pragma once

#include "../bsd/steps.hpp"
#include "launch.hpp"

namespace cordon::openbsd_shim {

namespace detail {

using namespace bsd_shim;

template <class Errand> int close_others(Errand& e) noexcept {
  if (e.report != 3) {
    if (const int moved = e.os.dup2(e.report, 3); moved < 0) return -moved;
    e.report = 3;
  }
  if (const int error = e.os.fcntl(3, set_flags, close_on_exec); error < 0) return -error;
  const int closed = -e.os.closefrom(4);
  return closed == ebadf ? 0 : closed; // there are none
}

template <class Errand> int unveil_places(Errand& e) noexcept {
  if (e.how.place_count == 0) return einval;
  for (e.why.part = 0; e.why.part < e.how.place_count; ++e.why.part) {
    const unveiled& u = e.how.places[e.why.part];
    if (const int error = e.os.unveil(u.place, u.permissions); error < 0) return -error;
  }
  return 0;
}

/// What must be refused from now on, or nothing is in force.
[[nodiscard]] constexpr int refused(int answer) { return answer == -eperm ? 0 : eperm; }

template <class Errand> int lock_places(Errand& e) noexcept {
  if (const int error = e.os.unveil(nullptr, nullptr); error < 0) return -error;
  return refused(e.os.unveil("/", "r"));
}

/// No policy promises settime, and both sets can only shrink.
template <class Errand> int make_promises(Errand& e) noexcept {
  if (e.how.promises == nullptr || e.how.program_promises == nullptr) return einval;
  if (const int error = e.os.pledge(e.how.promises, e.how.program_promises); error < 0) return -error;
  if (const int error = refused(e.os.pledge("stdio exec settime", nullptr))) return error;
  return refused(e.os.pledge(nullptr, "stdio exec settime"));
}

template <class Errand> int become_program(Errand& e) noexcept {
  return -e.os.execve(e.what.path, e.what.argv, e.what.envp);
}

} // namespace detail

template <class Os>
inline constexpr bsd_shim::stage<bsd_shim::errand<Os, confinement>> stages[]{
    {bsd_shim::step::stdio, bsd_shim::set_stdio},        {bsd_shim::step::directory, bsd_shim::change_directory},
    {bsd_shim::step::descriptors, detail::close_others}, {bsd_shim::step::session, bsd_shim::leave_session},
    {bsd_shim::step::limits, bsd_shim::set_limits},      {bsd_shim::step::signals, bsd_shim::reset_signals},
    {bsd_shim::step::places, detail::unveil_places},     {bsd_shim::step::lock, detail::lock_places},
    {bsd_shim::step::promises, detail::make_promises},   {bsd_shim::step::exec, detail::become_program},
};

template <class Os> launched launch(Os& os, const command& what, const confinement& how) noexcept {
  return bsd_shim::launch(os, what, how, stages<Os>);
}

} // namespace cordon::openbsd_shim
