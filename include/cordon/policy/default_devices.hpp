// SPDX-License-Identifier: BSL-1.0
/// Devices that programs rely on, so every process has them whatever its policy: they are not part of the files axis and
/// imply no other rights. And the devices that a policy can grant.
#pragma once

#include "rights.hpp"

#include <array>
#include <span>
#include <string_view>

namespace cordon {

/// A device that every process gets.
struct default_device {
  std::string_view place; ///< its path
  rights allowed;         ///< on the machine's device; none: the policy decides
  rights allowed_in_view; ///< on the device of a private /dev
  bool terminal = false;  ///< programs need its device commands (ioctl)
};

/// Of the machine's devices only /dev/null may be written: programs have no use for writing to the others. A private
/// /dev is like that of any machine, so it has more. /dev/full exists on Linux alone, and the machine's /dev/tty is a
/// terminal outside of the sandbox.
inline constexpr std::array<default_device, 6> default_devices{{
    {"/dev/null", right::read | right::write, right::read | right::write},
    {"/dev/random", right::read, right::read},
    {"/dev/urandom", right::read, right::read},
    {"/dev/zero", right::read, right::read | right::write},
    {"/dev/full", rights(), right::read | right::write},
    {"/dev/tty", rights(), right::read | right::write, true},
}};

/// The devices of the machine that every process may use.
inline constexpr std::span<const default_device> machine_devices = std::span(default_devices).first<4>();

static_assert(!default_devices[3].allowed.empty() && default_devices[4].allowed.empty() &&
                  default_devices[5].allowed.empty(),
              "the machine's devices come first");

/// The places of graphics processors: Linux's Direct Rendering Manager, and the kernel drivers of AMD's ROCm and NVIDIA.
inline constexpr std::string_view gpu_devices[]{"/dev/dri", "/dev/kfd"};
inline constexpr std::string_view gpu_device_prefix = "/dev/nvidia"; ///< and what begins so: nvidia0, nvidiactl, ...
inline constexpr std::string_view kvm_device = "/dev/kvm";           ///< virtual machines (kernel: virt/kvm/api.rst)

/// Returns whether it is a device of the machine, or a directory of such, that a policy can grant by name: a private
/// /dev shows it then, and its commands (ioctl) are allowed with `write`. No other device of the machine is shown.
[[nodiscard]] constexpr bool is_grantable_device(std::string_view place) {
  for (const std::string_view each : gpu_devices)
    if (place.starts_with(each) && (place.size() == each.size() || place[each.size()] == '/')) return true;
  return place == kvm_device || (place.starts_with(gpu_device_prefix) && place.size() > gpu_device_prefix.size());
}

/// The process's own standard input, output and error by name, in the order of their descriptors.
inline constexpr std::array<std::string_view, 3> standard_streams{"/dev/stdin", "/dev/stdout", "/dev/stderr"};

} // namespace cordon
