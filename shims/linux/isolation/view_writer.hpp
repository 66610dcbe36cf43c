// SPDX-License-Identifier: BSL-1.0
/// Steps of a view as they are planned, with the text that they point at.
#pragma once

#include "../child/descriptor.hpp"
#include "view.hpp"

#include <cordon/gap/file_type.hpp>

#include <linux/mount.h>

#include <string>
#include <string_view>
#include <vector>

namespace cordon::linux_shim {

/// No set-id program and no device works there; nothing is executed either; nothing changes either.
inline constexpr std::uint64_t dead = MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV, still = dead | MOUNT_ATTR_NOEXEC,
                               frozen = still | MOUNT_ATTR_RDONLY;

/// What lies at a place of the machine, or why nobody can tell.
struct found_inode {
  file_type what = file_type::unknown;
  inode_id is{};
  int error = 0;
};

/// Follows no link; one that stands there is the error ELOOP.
[[nodiscard]] found_inode look(const std::string& place);
/// The same, and what was looked at is held (O_PATH).
[[nodiscard]] found_inode look(const std::string& place, descriptor& held);
/// The same, but throws `refused` where nobody can tell.
const found_inode& sure(const found_inode& found, std::string_view place);

/// Options of tmpfs and devpts. `bytes` 0: no limit but the file system's own.
[[nodiscard]] std::string mode_option(const std::string& mode, std::uint64_t bytes = 0);

/// Places are absolute, and those of the view.
class view_writer {
public:
  view_step& add(view_act what) { return add({.what = what}); }
  view_step& add(view_act what, std::string_view place);
  /// `what` is made: directory, file or link.
  view_step& add_made(view_act what, std::string_view place, std::uint32_t mode = 0);
  view_step& add_link(std::string_view place, std::string target);
  view_step& add_fresh(std::string_view place, const char* system, std::string options, std::uint64_t attributes);
  view_step& add_bind(std::string_view place, std::string_view from, const inode_id& source, std::uint64_t attributes);
  /// An empty directory in memory, read-only from the start if nothing is made in it, else in the end.
  view_step& add_mask(std::string_view place);
  /// A file that does not open.
  view_step& add_mask_file(std::string_view place);
  /// Seals the masks in which something was made.
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

  std::vector<mask> masks_; ///< around the last place
  std::vector<mask> open_masks_;
  inode_id null_; ///< /dev/null, once somebody has looked
};

} // namespace cordon::linux_shim
