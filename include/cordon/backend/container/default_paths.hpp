// SPDX-License-Identifier: BSL-1.0
/// What every container has whatever its policy says. No question about the policy's places is about it.
#pragma once

#include <string_view>

namespace cordon::container {

/// Names of a fresh /proc and /sys that tell of the whole machine; runtimes skip what a kernel lacks (runc's defaults,
/// libcontainer/specconv/example.go, and /proc/interrupts: keystrokes can be timed by it).
inline constexpr std::string_view masked_paths[]{
    "/proc/acpi",        "/proc/asound",        "/proc/interrupts", "/proc/kcore",
    "/proc/keys",        "/proc/latency_stats", "/proc/timer_list", "/proc/timer_stats",
    "/proc/sched_debug", "/proc/scsi",          "/sys/firmware",    "/sys/devices/virtual/powercap"};

/// What user id 0 could write there without any capability.
inline constexpr std::string_view readonly_paths[]{"/proc/bus", "/proc/fs", "/proc/irq", "/proc/sys",
                                                   "/proc/sysrq-trigger"};

inline constexpr std::string_view search_path = "PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

} // namespace cordon::container
