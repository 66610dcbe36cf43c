// SPDX-License-Identifier: BSL-1.0
/// Plans the steps of a view and owns the text that they point to.
#pragma once

#include "../files/found_inode.hpp"
#include "view.hpp"

#include <linux/mount.h>

#include <string>
#include <string_view>
#include <vector>

namespace cordon::linux_shim {

/// Attributes of mounts. `dead`: no set-id programs, no devices. `still`: also no execution. `frozen`: also read-only.
inline constexpr std::uint64_t dead = MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV, still = dead | MOUNT_ATTR_NOEXEC,
                               frozen = still | MOUNT_ATTR_RDONLY;

/// Options of tmpfs and devpts. `bytes` 0: only the file system's own limit.
[[nodiscard]] std::string mode_option(const std::string& mode, std::uint64_t bytes = 0);

/// All paths are absolute paths in the view.
class view_writer {
public:
  view_step& add(view_act what) { return add({.what = what}); }
  view_step& add(view_act what, std::string_view place);
  /// Makes a directory, file or link.
  view_step& add_made(view_act what, std::string_view place, std::uint32_t mode = 0);
  view_step& add_link(std::string_view place, std::string target);
  view_step& add_fresh(std::string_view place, const char* system, std::string options, std::uint64_t attributes);
  view_step& add_bind(std::string_view place, std::string_view from, const inode_id& source, std::uint64_t attributes);
  /// Adds an empty directory in memory. It is read-only from the start, or, if a later step makes something in it, at
  /// the end.
  view_step& add_mask(std::string_view place);
  /// Hides a file by one that cannot be opened.
  view_step& add_mask_file(std::string_view place);
  /// Makes the masks read-only that later steps used.
  void seal_masks();

  std::deque<std::string> texts;
  std::vector<view_step> steps;

private:
  struct mask {
    std::string place;
    std::size_t launch_stage;
    bool used;
  };
  view_step& add(const view_step& s) { return steps.emplace_back(s); }
  const char* keep(std::string text) { return texts.emplace_back(std::move(text)).c_str(); }
  const char* inside(std::string_view place) { return keep(std::string(place.substr(1))); }
  void leave_masks(std::string_view next);

  std::vector<mask> masks_; ///< around the last path
  std::vector<mask> open_masks_;
  inode_id null_; ///< /dev/null, once it has been looked up
};

} // namespace cordon::linux_shim
