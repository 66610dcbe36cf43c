// SPDX-License-Identifier: BSL-1.0
/// A policy's workspace with open directories. Resolves paths beneath them and checks each real path against the
/// policy. Throws: `workspace_files::file_error`.
#pragma once

#include "path_resolver.hpp"

#include <cordon/linux/workspace_files.hpp>

#include <optional>
#include <string>

namespace cordon::linux_shim {

/// Empty for operations that only look.
using wanted_right = std::optional<right>;

/// Throws: the system's error.
[[noreturn]] void fail(int error, std::string place, wanted_right r);
/// Throws: a refusal of cordon.
[[noreturn]] void refuse(std::string place, wanted_right r, const std::string& why);
[[noreturn]] void refuse(std::string place, wanted_right r, const verdict& v);

/// An entry of an open directory; it may not exist.
struct entry_of {
  reached holder;
  std::string name;
  std::string place; ///< the holder's path and the name
};

class workspace {
public:
  workspace(const loaded_policy& p, bool ask_kernel);

  [[nodiscard]] const loaded_policy& policy() const { return policy_; }
  void judge(wanted_right r, const std::string& place) const;
  /// Finds the inode at a path. Checks its real path, and the paths that lack the right and lead to the same inode.
  [[nodiscard]] reached find(std::string_view place, wanted_right r, bool follow_last = true) const;
  /// The same; empty if the path does not exist.
  [[nodiscard]] std::optional<reached> find_if_any(std::string_view place, wanted_right r, bool follow_last) const;
  /// Finds the entry and checks its path, not the inode there.
  [[nodiscard]] entry_of find_entry(std::string_view place, right r) const;
  /// Opens the entry's inode and checks its real path: the file system may report another name (casefold).
  [[nodiscard]] std::optional<reached> inode_of(const entry_of& e, right r) const;
  /// Does the path exist, as a symbolic link or otherwise?
  [[nodiscard]] bool any_at(std::string_view place) const;

private:
  void judge_stopped(const stopped& s, wanted_right r) const;
  void judge_reached(const reached& there, wanted_right r) const;

  loaded_policy policy_;
  path_resolver places_;
};

/// Opens the inode without blocking. Throws: file_error.
[[nodiscard]] workspace_files::file open_again(const reached& there, int flags, wanted_right r);

} // namespace cordon::linux_shim
