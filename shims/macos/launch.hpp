// SPDX-License-Identifier: BSL-1.0
/// Starts a confined program on macOS. The child enters the profile. It executes the program only after macOS has
/// refused an access that the profile denies.
#pragma once

#include "../bsd/launch.hpp"

namespace cordon::macos_shim {

using bsd_shim::command;
using bsd_shim::failure;
using bsd_shim::launched;

/// How the child verifies that the profile is in force: it opens a file of the caller that the profile denies. Before
/// the profile, the same access must succeed.
enum class refusal : unsigned char {
  reading,  ///< opening it for reading fails
  writing,  ///< opening it for writing fails
  reported, ///< the profile allows both for all files: sandbox_check must report the profile
};

/// What the child gives up; the caller owns all of it.
struct confinement {
  const char* profile = nullptr; ///< text of the profile
  refusal seen = refusal::reading;
  const char* probe = nullptr; ///< the file that the child opens
  // For sandbox-exec(1); null: do not use it.
  const char* profile_file = nullptr;  ///< a file of the caller with the same text
  const char* probe_profile = nullptr; ///< text of a profile that denies only reading the probe
};

/// Uses sandbox_init_with_parameters, which is looked up at run time. If the system lacks it, uses sandbox-exec(1),
/// after a check that it confines. `argv[0]` is then the path.
launched launch(const command& what, const confinement& how) noexcept;
/// The same without confinement.
launched launch_plain(const command& what) noexcept;

/// The children of a process, and all processes, at most `room` of them. Returns: how many exist, or less than 0.
int children_of(int pid, int* to, int room) noexcept;
int all_processes(int* to, int room) noexcept;

} // namespace cordon::macos_shim
