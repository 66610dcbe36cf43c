// SPDX-License-Identifier: BSL-1.0
/// Starting a confined program on macOS. The profile is put into force in the child; the program is started only once
/// something that the profile does not allow has been seen to be refused.
#pragma once

#include "../bsd/launch.hpp"

namespace cordon::macos_shim {

using bsd_shim::command;
using bsd_shim::failure;
using bsd_shim::launched;

/// What shows that a profile is in force: a file of the caller's own, in a place that the profile does not allow. Before,
/// the child can do it.
enum class refusal : unsigned char {
  reading,  ///< it cannot be opened to be read any more
  writing,  ///< ... to be written
  reported, ///< the profile lets all files be read and written: the system's own word (sandbox_check) must do
};

/// What the child gives up; everything belongs to the caller.
struct confinement {
  const char* profile = nullptr; ///< its text
  refusal seen = refusal::reading;
  const char* probe = nullptr; ///< the file that shows it
  // For sandbox-exec(1); null: it is not to be used.
  const char* profile_file = nullptr;  ///< a file of the caller's own with the same text
  const char* probe_profile = nullptr; ///< a text that forbids to read the probe and nothing else
};

/// By sandbox_init_with_parameters, which is looked for when it is needed. Where this system has none any more, by
/// sandbox-exec(1), once that has been seen to confine. `argv[0]` is then the path.
launched launch(const command& what, const confinement& how) noexcept;
/// The same without any confinement.
launched launch_plain(const command& what) noexcept;

/// The children of a process, and all processes, as many as there is room for: how many there are, or less than 0.
int children_of(int pid, int* to, int room) noexcept;
int all_processes(int* to, int room) noexcept;

} // namespace cordon::macos_shim
