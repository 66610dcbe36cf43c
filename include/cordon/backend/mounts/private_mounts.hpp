// SPDX-License-Identifier: BSL-1.0
/// Places that a run has of its own whatever its policy says, because programs take them for granted. They are made
/// fresh and show nothing of the machine; no question about the policy's places is about them.
#pragma once

#include "view.hpp"

#include <array>
#include <string_view>

namespace cordon::mounts {

/// Trees that are made fresh even where the policy grants the machine's.
inline constexpr std::array<std::string_view, 2> private_trees{"/proc", "/dev"};

/// Private directories in memory. The first is only made where the policy shows nothing: programs that were granted the
/// machine's /tmp want that one.
inline constexpr std::string_view own_temp = "/tmp";
inline constexpr std::string_view own_shared_memory = "/dev/shm";

/// The message queues of the run's own. mq_open(3) finds them by itself; but what a rule of files says here holds there.
inline constexpr std::string_view own_queues = "/dev/mqueue";

/// What user id 0 can write in a fresh /proc without any capability, to the harm of the whole machine:
/// core_pattern is code that the kernel starts as root (sysctl asks for the global uid, fs/proc/proc_sysctl.c).
inline constexpr std::string_view guarded[]{"/proc/sys", "/proc/sysrq-trigger", "/proc/irq", "/proc/bus"};
/// What user id 0 alone can read there, without any capability too, and it is about the whole machine: which memory is
/// used for what and where, and what is due when.
inline constexpr std::string_view roots_alone[]{"/proc/kpagecgroup",  "/proc/kpagecount", "/proc/kpageflags",
                                                "/proc/pagetypeinfo", "/proc/slabinfo",   "/proc/timer_list",
                                                "/proc/vmallocinfo"};

/// Links at the root of systems whose directories have moved into /usr; resolved policies name only where they lead.
struct link {
  std::string_view place, to, from_root;
};
inline constexpr link usr_links[]{{"/bin", "/usr/bin", "usr/bin"},       {"/sbin", "/usr/sbin", "usr/sbin"},
                                  {"/lib", "/usr/lib", "usr/lib"},       {"/lib32", "/usr/lib32", "usr/lib32"},
                                  {"/lib64", "/usr/lib64", "usr/lib64"}, {"/libx32", "/usr/libx32", "usr/libx32"}};

/// Is the place beneath the shared memory? The machine's is never shown, but what the policy names in it is.
[[nodiscard]] constexpr bool is_in_shared_memory(std::string_view place) {
  return place != own_shared_memory && path::covers(own_shared_memory, place);
}

/// Does a place of the run's own stand there, whatever the policy says?
[[nodiscard]] constexpr bool is_own(std::string_view place) {
  return (path::covers("/dev", place) && !is_in_shared_memory(place)) || place == "/proc";
}

/// What is around a mount when it is made: nothing, where that is the run's own. O(pins).
[[nodiscard]] constexpr mount_access access_around(list all, std::uint32_t i) {
  std::uint32_t up = all.parent(i);
  while (up != no_slot && at(all, up).bind_to_itself) up = all.parent(up);
  const bool own = up != no_slot && is_in_shared_memory(all.place(i)) && !is_in_shared_memory(all.place(up));
  return own ? mount_access::hidden : at(all, up).directory;
}

/// Is a mount made there? In a fresh /proc, masks alone are: a bind would show the machine's.
[[nodiscard]] constexpr bool is_made(list all, std::uint32_t i, mount_access k) {
  const std::string_view place = all.place(i);
  if (is_own(place)) return false;
  if (is_visible(k)) return !path::covers("/proc", place);
  return is_in_shared_memory(place) ? is_visible(access_around(all, i)) : place != own_temp;
}

/// Calls `f(directory)` for each directory on the way to a mount with nothing around it, the outermost first, which has
/// to be made unless it has been for another. O(components, and the masks around).
template <class F> constexpr void each_on_the_way(list all, std::uint32_t i, F&& f) {
  const std::string_view place = all.place(i);
  std::uint32_t up = all.parent(i);
  while (up != no_slot && !is_visible(access_around(all, up))) up = all.parent(up);
  const std::string_view there = is_in_shared_memory(place) ? own_shared_memory : "/";
  const std::string_view mask = up == no_slot ? "/" : all.place(up);
  each_between(there.size() < mask.size() ? mask.size() : there.size(), place, [&](std::string_view dir) {
    if (dir != own_temp) f(dir);
  });
}

/// Does the view have use for the link: is its name free, and is something of what it leads to shown? O(n).
[[nodiscard]] constexpr bool wants(list all, const link& l) {
  if (is_visible(access_at(all, l.place))) return false;
  bool shown = is_visible(access_at(all, l.to));
  for (std::uint32_t i = 0; i < all.size(); ++i) {
    if (path::covers(l.place, all.place(i))) return false;
    shown = shown || (path::covers(l.to, all.place(i)) && is_visible(mounts::at(all, i).directory));
  }
  return shown;
}

} // namespace cordon::mounts
