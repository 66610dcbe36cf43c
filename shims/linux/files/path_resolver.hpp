// SPDX-License-Identifier: BSL-1.0
/// Resolves paths beneath pinned directories to an open inode and its real path.
#pragma once

#include "../child/descriptor.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <sys/stat.h>
#include <vector>

namespace cordon::linux_shim {

/// Opens a path as O_PATH. Returns: an empty descriptor with errno on error; ELOOP for a symbolic link in any
/// component.
[[nodiscard]] descriptor open_place(int at, const char* name);

/// The same for a path that has been resolved. Throws: `refused` if a component has become a symbolic link since.
[[nodiscard]] descriptor open_resolved(const std::string& place);

/// Returns: the target of a symbolic link; nothing, with errno, on error.
[[nodiscard]] std::optional<std::string> read_link(int at, const char* name);

/// Returns: the path of `fd` in the calling thread's /proc, which leads to the descriptor's own inode.
[[nodiscard]] std::string descriptor_path(int fd);

/// A pinned file or directory: its path in the policy, and its inode when the policy was loaded.
struct pinned {
  std::string place;
  descriptor inode;
};

/// The result of a lookup.
struct reached {
  descriptor inode;  ///< O_PATH
  std::string place; ///< the real path, with the policy's path of the pinned directory as prefix
  struct stat facts {};
  const pinned* from = nullptr;
};

/// Why a lookup failed.
struct stopped {
  enum class reason : std::uint8_t {
    nowhere, ///< it did not fail
    system,  ///< see `error`
    outside, ///< the path, or a symbolic link in it, leads out of every pinned directory
    magic,   ///< a magic link of procfs to an open file
    top,     ///< the path is that of a pinned file or directory, whose holder is outside
  };
  reason why = reason::nowhere;
  int error = 0;
  std::string place{}; ///< the component that failed

  [[nodiscard]] explicit operator bool() const { return why != reason::nowhere; }
};

/// Resolves paths beneath pinned directories only. Safe in several threads at once.
class path_resolver {
public:
  /// `places` must be disjoint and in tree order. Without `ask_kernel`, openat2(2) is never tried.
  path_resolver(std::vector<pinned> places, bool ask_kernel) : pinned_(std::move(places)), ask_kernel_(ask_kernel) {}

  /// Finds the inode at an absolute path.
  [[nodiscard]] stopped find(std::string_view place, bool follow_last, reached& to) const;
  /// Finds the directory of the entry, and the entry's name. Does not look the name up.
  [[nodiscard]] stopped find_holder(std::string_view place, reached& holder, std::string& name) const;
  /// Updates the path of a descriptor beneath its pinned directory. Returns: false if it is no longer beneath it.
  [[nodiscard]] static bool locate(reached& r);

private:
  class walk;
  [[nodiscard]] const pinned* pinned_above(std::string_view place) const;

  std::vector<pinned> pinned_;
  bool ask_kernel_;
};

/// Returns: the path of `name` in `directory`.
[[nodiscard]] std::string joined(const std::string& directory, std::string_view name);

} // namespace cordon::linux_shim
