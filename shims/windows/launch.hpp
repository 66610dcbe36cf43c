// SPDX-License-Identifier: BSL-1.0
/// Starting a confined program on Windows: a container, a token and a job of its own. The program is made, but stands
/// still until each of them has been looked up in it; either every step succeeds, or it never runs.
#pragma once

#include "container.hpp"
#include "handle.hpp"

#include <cordon/backend/appcontainer/rules.hpp>

#include <array>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace cordon::windows_shim {

/// What is started.
struct command {
  std::wstring program; ///< its full path; no script of cmd.exe
  std::vector<std::wstring> argv;
  std::vector<std::wstring> environment; ///< `NAME=value`
  std::wstring directory;
  std::array<HANDLE, 3> stdio{}; ///< what the program has as its standard handles; null: none
  std::vector<HANDLE> keep;      ///< further handles that it inherits, and no others
};

/// What the child gives up.
struct confinement {
  std::wstring name;                      ///< of the container, which nobody else has
  std::vector<std::wstring> capabilities; ///< SIDs as text
  bool less_privileged = true;            ///< leave ALL APPLICATION PACKAGES out
  bool spawn = false;                     ///< may it start processes?
  appcontainer::job limits{};
  /// Gives the container what it may reach, once it is there and before anything runs: 0, or an error.
  std::function<DWORD(const container&)> give{};
};

/// Why nothing runs.
struct failure {
  std::wstring_view at; ///< the step
  DWORD error = 0;      ///< GetLastError, or what stands for it
};

/// What a launch has come to so far; what is last goes first.
struct init_setup {
  const command& what;
  const confinement& how;
  container own; ///< removed once all else is gone
  handle token, job, process, thread;
  std::vector<unsigned char> attributes; ///< of PROC_THREAD_ATTRIBUTE_LIST
  std::vector<HANDLE> inherited;
  std::vector<local<PSID>> sids;
  std::vector<SID_AND_ATTRIBUTES> capability_list;
  SECURITY_CAPABILITIES capabilities{};
  DWORD packages_policy = 0, child_policy = 0;
  HANDLE job_list = nullptr;
  DWORD pid = 0;

  init_setup(const command& w, const confinement& h, const profile_calls& by) : what(w), how(h), own(by) {}
  init_setup(const init_setup&) = delete;
  init_setup& operator=(const init_setup&) = delete;
  ~init_setup();

  [[nodiscard]] LPPROC_THREAD_ATTRIBUTE_LIST list() {
    return reinterpret_cast<LPPROC_THREAD_ATTRIBUTE_LIST>(attributes.data());
  }
};

/// One step: 0, or what GetLastError says.
struct stage {
  std::wstring_view name;
  DWORD (*act)(init_setup&);
};

/// All of them, in their order.
[[nodiscard]] std::span<const stage> stages();
/// Those of a program that nobody confines: a job of its own, which ends its tree, and the handles that it is given.
[[nodiscard]] std::span<const stage> plain_stages();
/// Does the system keep to these limits of a job: does it say afterwards what it was told?
[[nodiscard]] bool holds(const appcontainer::job& limits);

/// A program that runs, or why it does not.
struct [[nodiscard]] launched {
  handle process, job;
  DWORD pid = 0;
  container own{profile_calls()};
  failure why;
  [[nodiscard]] explicit operator bool() const { return static_cast<bool>(process); }
};

/// Throws std::invalid_argument for what no command line or environment can say. Tests have other steps and calls.
launched launch(const command& what, const confinement& how, std::span<const stage> all = stages(),
                const profile_calls& by = profile_calls::of_system());

} // namespace cordon::windows_shim
