// SPDX-License-Identifier: BSL-1.0
/// The steps by which a child makes a view of mounts and enters it: plain memory and raw system calls.
#pragma once

#include "../child/inode_id.hpp"

#include <cstdint>
#include <span>

namespace cordon::linux_shim {

enum class view_act : std::uint8_t {
  isolate,   ///< make mount propagation private: no later mount propagates in or out
  directory, ///< make the directory `name` in the view's `place`
  file,      ///< the same with an empty file without permissions, as a mount point
  link,      ///< the same with a symbolic link to `from`
  bind,      ///< bind the host's `from` with all mounts beneath it
  again,     ///< bind the view's `place` on itself, to pin it or to restrict its attributes
  fresh,     ///< mount a new file system
  seal,      ///< make read-only
  enter,     ///< pivot to the view and detach the host's tree
};

/// One step of the child. Plain memory, valid as long as the view.
struct view_step {
  view_act what{};
  bool optional = false;         ///< ignore a missing `place`, an existing `name` or a missing file system
  const char* place = "";        ///< path in the view without the leading slash; "": the root of the view
  const char* name = nullptr;    ///< the name to make in `place`
  const char* from = nullptr;    ///< bind: an absolute path; link: the target; fresh: the file system type
  const char* options = nullptr; ///< fresh: names and values, each ended by NUL, then one more NUL
  std::uint64_t attributes = 0;  ///< MOUNT_ATTR_*, set before any process can reach the mount
  std::uint32_t mode = 0;        ///< of a directory
  inode_id source{};             ///< the expected inode at `from`
  inode_id target{};             ///< the expected inode at `place`
};

/// Makes the view and enters it; its root is then the working directory. The process must be alone in a mount, a pid
/// and an ipc namespace (the view's /proc and message queues belong to these). It must have all capabilities in the
/// user namespace of these. Uses the mount calls of Linux 5.12, and raw system calls only: it allocates nothing and
/// leaves no descriptor open. Returns: 0 or errno, with the index of the failed step in `at`; ESTALE if another inode
/// has taken a path since. After an error the process must end, because its view is incomplete.
[[nodiscard]] int enter_view(std::span<const view_step> steps, std::uint32_t& at) noexcept;

} // namespace cordon::linux_shim
