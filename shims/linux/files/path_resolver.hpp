// SPDX-License-Identifier: BSL-1.0
/// Names looked up beneath pinned places: from a name to an inode that is held, and to where it really is.
#pragma once

#include "../child/descriptor.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <sys/stat.h>
#include <vector>

namespace cordon::linux_shim {

/// Opens a place as O_PATH. An empty descriptor with errno, ELOOP for a link, be it on the way or last.
[[nodiscard]] descriptor open_place(int at, const char* name);

/// The text of a link; nothing, with errno, where it cannot be read.
[[nodiscard]] std::optional<std::string> read_link(int at, const char* name);

/// The path of `fd` in the calling thread's /proc, which leads to the descriptor's own inode.
[[nodiscard]] std::string descriptor_path(int fd);

/// A pinned place: the policy's name and the inode that had it.
struct pinned {
  std::string place;
  descriptor inode;
};

/// Where a search came to.
struct reached {
  descriptor inode;  ///< O_PATH
  std::string place; ///< where it really is, named as the policy names its pinned place
  struct stat facts {};
  const pinned* from = nullptr;
};

/// Why a search came to nothing.
struct stopped {
  enum class reason : std::uint8_t {
    nowhere, ///< it did not: it came to something
    system,  ///< see `error`
    outside, ///< the name, or a link on the way, leads out of every pinned place
    magic,   ///< a link of procfs that stands for an open file
    top,     ///< the entry of a pinned place itself is wanted
  };
  reason why = reason::nowhere;
  int error = 0;
  std::string place{}; ///< the component that ended it

  [[nodiscard]] explicit operator bool() const { return why != reason::nowhere; }
};

/// Follows names beneath pinned places and nowhere else. Safe in several threads at once.
class path_resolver {
public:
  /// The places must be disjoint and in the order of the walk. Without `ask_kernel`, openat2(2) is never tried.
  path_resolver(std::vector<pinned> places, bool ask_kernel) : pinned_(std::move(places)), ask_kernel_(ask_kernel) {}

  /// The inode at an absolute place.
  [[nodiscard]] stopped find(std::string_view place, bool follow_last, reached& to) const;
  /// The directory that holds the entry, and the entry's name there; the name is not looked at.
  [[nodiscard]] stopped find_holder(std::string_view place, reached& holder, std::string& name) const;
  /// Where a descriptor beneath the same pinned place is now; false if it has left it.
  [[nodiscard]] static bool locate(reached& r);

private:
  class walk;
  [[nodiscard]] const pinned* pinned_above(std::string_view place) const;

  std::vector<pinned> pinned_;
  bool ask_kernel_;
};

/// `name` in `directory`.
[[nodiscard]] std::string joined(const std::string& directory, std::string_view name);

} // namespace cordon::linux_shim
