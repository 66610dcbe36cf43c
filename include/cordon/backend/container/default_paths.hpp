// SPDX-License-Identifier: BSL-1.0
/// What every container has, whatever its policy grants. Queries about the policy's paths do not concern it.
#pragma once

#include <string_view>

namespace cordon::container {

/// Paths of a fresh /proc and /sys that show information of the whole host. Runtimes skip those that a kernel lacks.
/// Source: runc's defaults, libcontainer/specconv/example.go, and /proc/interrupts, which reveals the timing of
/// keystrokes.
inline constexpr std::string_view masked_paths[]{
    "/proc/acpi",        "/proc/asound",        "/proc/interrupts", "/proc/kcore",
    "/proc/keys",        "/proc/latency_stats", "/proc/timer_list", "/proc/timer_stats",
    "/proc/sched_debug", "/proc/scsi",          "/sys/firmware",    "/sys/devices/virtual/powercap"};

/// Paths there that user id 0 could write without any capability.
inline constexpr std::string_view readonly_paths[]{"/proc/bus", "/proc/fs", "/proc/irq", "/proc/sys",
                                                   "/proc/sysrq-trigger"};

/// The variable PATH of an image without one.
inline constexpr std::string_view search_path = "PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

} // namespace cordon::container
