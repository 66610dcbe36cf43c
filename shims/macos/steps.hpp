// SPDX-License-Identifier: BSL-1.0
/// The steps of a launch on macOS.
#pragma once

#include "../bsd/steps.hpp"
#include "launch.hpp"

namespace cordon::macos_shim {

inline constexpr const char* tool = "/usr/bin/sandbox-exec";

namespace detail {

using namespace bsd_shim;

constexpr int enosys = 78; // errno.h of macOS

/// Opens the probe. Returns: 0 or -errno.
template <class Setup> int use_probe(Setup& e) noexcept {
  const bool writes = e.how.seen == refusal::writing;
  const int fd = e.os.open(e.how.probe, writes);
  if (fd < 0) return fd;
  e.os.close(fd);
  return 0;
}

/// The control: if the access fails without the profile, a later failure proves nothing.
template <class Setup> int check_before(Setup& e) noexcept {
  if (e.how.seen == refusal::reported) return e.os.is_confined() ? eperm : 0;
  return -use_probe(e);
}

template <class Setup> int enter_profile(Setup& e) noexcept {
  return -e.os.enter_profile(e.how.profile, e.why.words, sizeof e.why.words);
}

template <class Setup> int see_refusal(Setup& e) noexcept {
  if (e.how.seen == refusal::reported) return e.os.is_confined() ? 0 : eperm;
  const int answer = use_probe(e);
  return answer == -eperm ? 0 : answer == 0 ? eperm : -answer;
}

/// Executes the program with descriptors 0, 1 and 2 only.
template <class Setup> int become_program(Setup& e) noexcept {
  return -e.os.exec_alone(e.what.path, e.what.argv, e.what.envp);
}

} // namespace detail

template <class Os>
inline constexpr bsd_shim::stage<bsd_shim::child_setup<Os, confinement>> stages[]{
    {bsd_shim::launch_stage::stdio, bsd_shim::set_stdio},
    {bsd_shim::launch_stage::directory, bsd_shim::change_directory},
    {bsd_shim::launch_stage::session, bsd_shim::leave_session},
    {bsd_shim::launch_stage::limits, bsd_shim::set_limits},
    {bsd_shim::launch_stage::signals, bsd_shim::reset_signals},
    {bsd_shim::launch_stage::control, detail::check_before},
    {bsd_shim::launch_stage::profile, detail::enter_profile},
    {bsd_shim::launch_stage::probe, detail::see_refusal},
    {bsd_shim::launch_stage::exec, detail::become_program},
};

/// Stages without a profile: either another program enters it, or exits if that fails, or the run is unconfined.
template <class Os>
inline constexpr bsd_shim::stage<bsd_shim::child_setup<Os, confinement>> plain_stages[]{
    {bsd_shim::launch_stage::stdio, bsd_shim::set_stdio},
    {bsd_shim::launch_stage::directory, bsd_shim::change_directory},
    {bsd_shim::launch_stage::session, bsd_shim::leave_session},
    {bsd_shim::launch_stage::limits, bsd_shim::set_limits},
    {bsd_shim::launch_stage::signals, bsd_shim::reset_signals},
    {bsd_shim::launch_stage::exec, detail::become_program},
};

namespace detail {

inline constexpr unsigned long most_words = 4096;

/// `sandbox-exec WORDS... PROGRAM ARGUMENT...`; E2BIG if there are too many.
struct tool_words {
  const char* all[most_words];
  int error = 0;

  tool_words(const char* option, const char* text, const char* path, char* const* arguments) noexcept {
    const char* const before[]{tool, option, text, path};
    unsigned long n = 0;
    for (const char* word : before) all[n++] = word;
    while (*arguments != nullptr && n + 1 < most_words) all[n++] = *arguments++;
    all[n] = nullptr;
    if (*arguments != nullptr) error = 7; // E2BIG
  }
  [[nodiscard]] char* const* get() const noexcept { return const_cast<char* const*>(all); }
};

/// Checks that the tool confines: under a profile that denies only reading the probe, a program must fail to read it.
template <class Os> failure try_tool(Os& os, const confinement& how) noexcept {
  failure why;
  why.at = bsd_shim::launch_stage::control;
  const int open = os.open(how.probe, false);
  if (open < 0) {
    why.error = -open;
    return why;
  }
  os.close(open);
  char* const probe[]{const_cast<char*>(how.probe), nullptr};
  char* const none[]{nullptr};
  const tool_words words("-p", how.probe_profile, "/bin/cat", probe);
  command cat;
  cat.path = tool;
  cat.argv = words.get();
  cat.envp = none;
  const launched l = bsd_shim::launch(os, cat, how, plain_stages<Os>);
  if (!l) return l.why;
  why.at = bsd_shim::launch_stage::probe;
  const int status = os.wait(l.pid);
  const bool has_failed = status > 0 && (status & 0x7F) == 0; // exited with another status than 0
  why.error = has_failed ? 0 : eperm;
  return why;
}

} // namespace detail

template <class Os> launched launch(Os& os, const command& what, const confinement& how) noexcept {
  if (os.has_function()) return bsd_shim::launch(os, what, how, stages<Os>);
  launched refused;
  refused.why.at = bsd_shim::launch_stage::profile;
  refused.why.error = detail::enosys;
  if (how.profile_file == nullptr || how.probe == nullptr || how.probe_profile == nullptr) return refused;
  if (what.argv[0] == nullptr) {
    refused.why.error = bsd_shim::einval;
    return refused;
  }
  refused.why = detail::try_tool(os, how);
  if (refused.why.error != 0) return refused;
  const detail::tool_words words("-f", how.profile_file, what.path, what.argv + 1);
  refused.why.at = bsd_shim::launch_stage::exec;
  refused.why.error = words.error;
  if (words.error != 0) return refused;
  command by_tool = what;
  by_tool.path = tool;
  by_tool.argv = words.get();
  return bsd_shim::launch(os, by_tool, how, plain_stages<Os>);
}

} // namespace cordon::macos_shim
