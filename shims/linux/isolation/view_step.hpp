// SPDX-License-Identifier: BSL-1.0
/// What a child does to make a view of mounts and to enter it: plain memory, and raw calls.
#pragma once

#include "../child/inode_id.hpp"

#include <cstdint>
#include <span>

namespace cordon::linux_shim {

enum class view_act : std::uint8_t {
  isolate,   ///< no mount that is made from now on shows elsewhere, nor the other way round
  directory, ///< make `name` in the view's `place`
  file,      ///< the same: an empty one that nobody may open, for a mount to stand on
  link,      ///< the same, to `from`
  bind,      ///< the machine's `from`, with all that is mounted in it
  again,     ///< what the view has at `place`, on itself: a pin, or with less
  fresh,     ///< a file system of its own
  seal,      ///< read-only from now on
  enter,     ///< leave the machine's tree for good
};

/// One thing that the child does to make the view: plain memory, which lives as long as the view.
struct view_step {
  view_act what{};
  bool optional = false;      ///< that `place` is missing, `name` there already, or no such file system, is no failure
  const char* place = "";     ///< in the view, without the slash in front. Mounts on "" become its root
  const char* name = nullptr; ///< of what is made in `place`
  const char* from = nullptr; ///< bind: an absolute place; link: where it leads; fresh: which file system
  const char* options = nullptr; ///< fresh: names and values, NUL behind each, and one more
  std::uint64_t attributes = 0;  ///< MOUNT_ATTR_*, set before anybody can reach the mount
  std::uint32_t mode = 0;        ///< of a directory
  inode_id source{};             ///< what must lie at `from`
  inode_id target{};             ///< what must lie at `place`
};

/// Makes the view and enters it; its root is then the current directory. For a process that is alone in a mount, a pid
/// and an ipc namespace of its own (the /proc and the message queues are theirs) and has all capabilities in the user
/// namespace they belong to. By the mount calls of Linux 5.12, and raw ones alone: nothing is allocated, and no
/// descriptor stays. 0, or an errno, ESTALE where another inode has taken a place since, with the index of the failed
/// step in `at`; the process must then end, for it stands in a view half made.
[[nodiscard]] int enter_view(std::span<const view_step> steps, std::uint32_t& at) noexcept;

} // namespace cordon::linux_shim
