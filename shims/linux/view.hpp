// SPDX-License-Identifier: BSL-1.0
/// A view of the file system that is made of mounts: planned in the parent, made and entered in the child.
#pragma once

#include "seen_inode.hpp"

#include <cordon/backend/namespaces.hpp>
#include <cordon/heap.hpp>

#include <cstdint>
#include <deque>
#include <span>
#include <string>
#include <vector>

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
  bool optional = false;         ///< that `place` is missing, or `name` there already, is no failure
  const char* place = "";        ///< in the view, without the slash in front. Mounts on "" become its root
  const char* name = nullptr;    ///< of what is made in `place`
  const char* from = nullptr;    ///< bind: an absolute place; link: where it leads; fresh: which file system
  const char* options = nullptr; ///< fresh: names and values, NUL behind each, and one more
  std::uint64_t attributes = 0;  ///< MOUNT_ATTR_*, set before anybody can reach the mount
  std::uint32_t mode = 0;        ///< of a directory
  seen_inode source{};           ///< what must lie at `from`
  seen_inode target{};           ///< what must lie at `place`
};

/// The steps that make the view of a policy: a tree in which only what is granted exists, with a /proc, /dev and /tmp
/// of its own.
class view {
public:
  /// Looks at every place, following no link. `temp` is the real directory that stands for `run_temp`. Throws `refused`
  /// naming a place that has become a link or cannot be looked at. O(n log n).
  view(const namespaces::rules<heap>& rules, const std::string& temp);

  [[nodiscard]] std::span<const view_step> steps() const { return steps_; }
  /// The step in words, for messages.
  [[nodiscard]] std::string told(std::uint32_t at) const;

private:
  std::deque<std::string> texts_; ///< keeps its elements where they are when it is moved
  std::vector<view_step> steps_;
};

/// Makes the view and enters it; its root is then the current directory. For a process that is alone in a mount and a
/// pid namespace of its own (the /proc is that namespace's) and has all capabilities in the user namespace they belong
/// to. By the mount calls of Linux 5.12, and raw ones alone: nothing is allocated, and no descriptor stays. 0, or an
/// errno, ESTALE where another inode has taken a place since, with the index of the failed step in `at`; the process
/// must then end, for it stands in a view half made.
[[nodiscard]] int enter_view(std::span<const view_step> steps, std::uint32_t& at) noexcept;

} // namespace cordon::linux_shim
