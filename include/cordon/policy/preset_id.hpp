// SPDX-License-Identifier: BSL-1.0
/// The presets by name, and the symbolic name of the run's temporary directory; preset.hpp has the paths.
#pragma once

#include <cstdint>
#include <string_view>

namespace cordon {

/// A named list of paths that a document can grant or hide.
enum class preset : std::uint8_t {
  system_runtime,         ///< files needed to start common programs: run
  developer_toolchains,   ///< compilers and runtimes, including those under home: run
  package_manager_config, ///< configuration and caches of package managers: read
  user_temp,              ///< temporary files: write, only where workspace write is granted
  credentials,            ///< keys and tokens: hidden; takes precedence over the other presets
  // Services and devices (format/service/services.hpp): in force only where a document names them.
  ssh_agent,    ///< signs with the caller's SSH keys
  gpg_agent,    ///< signs and decrypts with the caller's GnuPG keys
  wayland,      ///< windows, and input, of the caller's session
  x11,          ///< the same for X11
  pulse,        ///< sound and the microphone
  dbus_session, ///< all services of the caller's session
  docker,       ///< the Docker daemon
  gpu,          ///< graphics processors
  kvm,          ///< virtual machines of the kernel
};

/// A set of presets.
class preset_set {
public:
  constexpr preset_set() = default;
  constexpr preset_set(preset p) : bits_(bit(p)) {} ///< The set of one preset.

  [[nodiscard]] constexpr bool empty() const { return bits_ == 0; }                  ///< Is it empty?
  [[nodiscard]] constexpr bool has(preset p) const { return (bits_ & bit(p)) != 0; } ///< Is the preset in it?

  /// The presets of either.
  friend constexpr preset_set operator|(preset_set a, preset_set b) { return from_bits(a.bits_ | b.bits_); }
  /// The presets of both.
  friend constexpr preset_set operator&(preset_set a, preset_set b) { return from_bits(a.bits_ & b.bits_); }
  /// The presets of `a` that are not in `b`.
  friend constexpr preset_set operator-(preset_set a, preset_set b) { return from_bits(a.bits_ & ~b.bits_); }
  friend constexpr bool operator==(preset_set, preset_set) = default; ///< Compares the sets.

private:
  [[nodiscard]] static constexpr std::uint32_t bit(preset p) { return 1U << static_cast<unsigned>(p); }
  [[nodiscard]] static constexpr preset_set from_bits(std::uint32_t bits) {
    preset_set all;
    all.bits_ = bits;
    return all;
  }
  std::uint32_t bits_ = 0;
};

/// Symbolic: the private temporary directory of a run. For each run, the shim creates the directory with mode
/// 0700, sets TMPDIR to it, and removes it at the end. No real directory has this name.
inline constexpr std::string_view run_temp = "/<run-temp>";

} // namespace cordon
