// SPDX-License-Identifier: BSL-1.0
/// Private mounts that every run has, whatever its policy grants, because programs expect them. They are created fresh
/// and show nothing of the host. Queries about the policy's paths do not concern them.
#pragma once

#include "../../policy/default_devices.hpp"
#include "view.hpp"

#include <array>
#include <string_view>

namespace cordon::mounts {

/// Trees that are private even if the policy grants the host's.
inline constexpr std::array<std::string_view, 2> private_trees{"/proc", "/dev"};

/// Private directories in memory. The first two are made only if the policy shows nothing there: a program that is
/// granted the host's /tmp must get it. Daemons put their sockets into the second.
inline constexpr std::string_view own_temp = "/tmp";
inline constexpr std::string_view own_run = "/run"; ///< the private directory of daemons' sockets
/// The directories in it that daemons expect: on a machine, their packages make them, or tmpfiles.d(5) at boot.
inline constexpr std::array<std::string_view, 4> daemon_directories{"/run/lock", "/run/mysqld", "/run/postgresql",
                                                                    "/run/redis"};
inline constexpr std::array<std::string_view, 2> own_directories{own_temp, own_run}; ///< both
inline constexpr std::string_view own_shared_memory = "/dev/shm"; ///< the private directory of POSIX shared memory
inline constexpr std::string_view var_run = "/var/run";           ///< the other name of /run

/// The private message queues. mq_open(3) does not need this path, but file rules for it apply to the queues.
inline constexpr std::string_view own_queues = "/dev/mqueue";

/// Files in a fresh /proc that user id 0 can write without any capability, and that affect the whole host: core_pattern
/// is code that the kernel starts as root (sysctl checks the global uid, fs/proc/proc_sysctl.c).
inline constexpr std::string_view guarded[]{"/proc/sys", "/proc/sysrq-trigger", "/proc/irq", "/proc/bus"};
/// Files there that only user id 0 can read, also without any capability. They describe the whole host: the use and the
/// addresses of memory, and pending timers.
inline constexpr std::string_view roots_alone[]{"/proc/kpagecgroup",  "/proc/kpagecount", "/proc/kpageflags",
                                                "/proc/pagetypeinfo", "/proc/slabinfo",   "/proc/timer_list",
                                                "/proc/vmallocinfo"};

/// Symbolic links in the root directory of systems whose directories have moved into /usr. Resolved policies name only
/// their targets.
struct link {
  std::string_view place;     ///< the path of the link
  std::string_view to;        ///< the path that it leads to
  std::string_view from_root; ///< the text of the link
};
/// The links of a merged /usr.
inline constexpr link usr_links[]{{"/bin", "/usr/bin", "usr/bin"},       {"/sbin", "/usr/sbin", "usr/sbin"},
                                  {"/lib", "/usr/lib", "usr/lib"},       {"/lib32", "/usr/lib32", "usr/lib32"},
                                  {"/lib64", "/usr/lib64", "usr/lib64"}, {"/libx32", "/usr/libx32", "usr/libx32"}};

/// Returns whether the path is beneath the shared memory. The host's is never shown, but paths in it that the policy
/// names are.
[[nodiscard]] constexpr bool is_in_shared_memory(std::string_view place) {
  return place != own_shared_memory && path::covers(own_shared_memory, place);
}

/// Is it one of the private directories that need no grant?
[[nodiscard]] constexpr bool is_own_directory(std::string_view place) { return place == own_temp || place == own_run; }

/// Returns whether the view has that one of `own_directories`.
[[nodiscard]] constexpr bool has_own(list all, std::string_view directory) {
  return !is_visible(access_at(all, directory));
}

/// Returns whether the path is beneath a private directory, where it may be a mount of the host's file.
[[nodiscard]] constexpr bool is_in_own_memory(list all, std::string_view place) {
  bool own = is_in_shared_memory(place);
  for (const std::string_view directory : own_directories)
    own = own || (path::covers(directory, place) && has_own(all, directory));
  return own;
}

/// Returns whether the path is beneath the private /dev, and the host's file is shown there if the policy names it.
[[nodiscard]] constexpr bool is_shown_in_dev(std::string_view place) {
  return is_in_shared_memory(place) || is_grantable_device(place);
}

/// Returns whether the path is private to the run, whatever the policy grants.
[[nodiscard]] constexpr bool is_own(std::string_view place) {
  return (path::covers("/dev", place) && !is_shown_in_dev(place)) || place == "/proc";
}

/// Returns the access of the mount around, when this mount is made: hidden if that one is private to the run. O(mounts
/// bound to themselves).
[[nodiscard]] constexpr mount_access access_around(list all, std::uint32_t i) {
  std::uint32_t up = all.parent(i);
  while (up != no_slot && at(all, up).bind_to_itself) up = all.parent(up);
  const bool own = up != no_slot && is_shown_in_dev(all.place(i)) && !is_shown_in_dev(all.place(up));
  return own ? mount_access::hidden : at(all, up).directory;
}

/// Returns whether the mount is made. In a fresh /proc only masks are: a bind would show the host's.
[[nodiscard]] constexpr bool is_made(list all, std::uint32_t i, mount_access k) {
  const std::string_view place = all.place(i);
  if (is_own(place)) return false;
  if (is_visible(k)) return !path::covers("/proc", place);
  return is_shown_in_dev(place) ? is_visible(access_around(all, i)) : !is_own_directory(place);
}

/// Calls `f(directory)` for each directory above a mount with nothing around it, the outermost first. The caller must
/// create each, unless it did so for an earlier mount. O(components, and the masks around).
template <class F> constexpr void each_on_the_way(list all, std::uint32_t i, F&& f) {
  const std::string_view place = all.place(i);
  std::uint32_t up = all.parent(i);
  while (up != no_slot && !is_visible(access_around(all, up))) up = all.parent(up);
  const std::string_view there = is_in_shared_memory(place) ? own_shared_memory : is_shown_in_dev(place) ? "/dev" : "/";
  const std::string_view mask = up == no_slot ? "/" : all.place(up);
  each_between(there.size() < mask.size() ? mask.size() : there.size(), place, [&](std::string_view dir) {
    if (!is_own_directory(dir)) f(dir);
  });
}

/// Returns whether the view needs the link: its name is free, and a part of its target is shown. O(n).
[[nodiscard]] constexpr bool wants(list all, const link& l) {
  if (is_visible(access_at(all, l.place))) return false;
  bool shown = is_visible(access_at(all, l.to));
  for (std::uint32_t i = 0; i < all.size(); ++i) {
    if (path::covers(l.place, all.place(i))) return false;
    shown = shown || (path::covers(l.to, all.place(i)) && is_visible(mounts::at(all, i).directory));
  }
  return shown;
}

/// Returns whether the view needs `var_run` as a link to `own_run`: nothing is shown at or beneath it. O(n).
[[nodiscard]] constexpr bool wants_var_run(list all) {
  if (!has_own(all, own_run) || is_visible(access_at(all, var_run))) return false;
  for (std::uint32_t i = 0; i < all.size(); ++i)
    if (path::covers(var_run, all.place(i))) return false;
  return true;
}

} // namespace cordon::mounts
