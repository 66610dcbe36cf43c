// SPDX-License-Identifier: BSL-1.0
/// Starts a confined program on Windows, in its own container, token and job. The program is created suspended, and
/// each of the three is verified in it. If a step fails, the program never runs.
#pragma once

#include "../handle.hpp"
#include "container.hpp"

#include <cordon/backend/appcontainer/rules.hpp>

#include <array>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace cordon::windows_shim {

/// The program to start.
struct command {
  std::wstring program; ///< its full path; not a script of cmd.exe
  std::vector<std::wstring> argv;
  std::vector<std::wstring> environment; ///< `NAME=value`
  std::wstring directory;
  std::array<HANDLE, 3> stdio{}; ///< standard handles of the program; null: none
  std::vector<HANDLE> keep;      ///< further handles that it inherits; it inherits no others
};

/// What the child gives up.
struct confinement {
  std::wstring name;                      ///< of the container; unique
  std::vector<std::wstring> capabilities; ///< SIDs as text
  bool less_privileged = true;            ///< leave ALL APPLICATION PACKAGES out
  bool spawn = false;                     ///< may it start processes?
  appcontainer::job limits{};
  /// Grants the container access, after it is created and before the program runs. Returns: 0 or an error.
  std::function<DWORD(const container&)> give{};
};

/// Why the program does not run.
struct failure {
  std::wstring_view at; ///< the step
  DWORD error = 0;      ///< from GetLastError, or a substitute
};

/// The state of a launch. The last member is destroyed first.
struct init_setup {
  const command& what;
  const confinement& how;
  container own; ///< removed after all other members
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

/// One step. Returns: 0 or an error of GetLastError.
struct stage {
  std::wstring_view name;
  DWORD (*act)(init_setup&);
};

/// All of them, in their order.
[[nodiscard]] std::span<const stage> stages();
/// Steps of an unconfined program: a private job, which ends its process tree, and the handles that it is given.
[[nodiscard]] std::span<const stage> plain_stages();

/// A running program, or why it does not run.
struct [[nodiscard]] launched {
  handle process, job;
  DWORD pid = 0;
  container own{profile_calls()};
  failure why;
  [[nodiscard]] explicit operator bool() const { return static_cast<bool>(process); }
};

/// Throws: std::invalid_argument for text that no command line or environment can represent. Tests pass other steps and
/// calls.
launched launch(const command& what, const confinement& how, std::span<const stage> all = stages(),
                const profile_calls& by = profile_calls::of_system());

} // namespace cordon::windows_shim
