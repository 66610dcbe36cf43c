// SPDX-License-Identifier: BSL-1.0
/// A policy's workspace with its places held: names looked up beneath them, each judged where it really is. What cannot
/// be done is thrown as `workspace_files::file_error`.
#pragma once

#include "path_resolver.hpp"

#include <cordon/linux/workspace_files.hpp>

#include <optional>
#include <string>

namespace cordon::linux_shim {

/// Empty for acts that only look.
using wanted_right = std::optional<right>;

/// Throws what the system said, errno.
[[noreturn]] void fail(int error, std::string place, wanted_right r);
/// Throws that cordon refuses.
[[noreturn]] void refuse(std::string place, wanted_right r, const std::string& why);
[[noreturn]] void refuse(std::string place, wanted_right r, const verdict& v);

/// An entry of a directory that is held; there may be nothing.
struct entry_of {
  reached holder;
  std::string name;
  std::string place; ///< the holder's, and the name
};

class workspace {
public:
  workspace(const loaded_policy& p, bool ask_kernel);

  [[nodiscard]] const loaded_policy& policy() const { return policy_; }
  void judge(wanted_right r, const std::string& place) const;
  /// The inode at a place, judged there, and under the names of places that lack the right.
  [[nodiscard]] reached find(std::string_view place, wanted_right r, bool follow_last = true) const;
  /// The same, empty if there is nothing.
  [[nodiscard]] std::optional<reached> find_if_any(std::string_view place, wanted_right r, bool follow_last) const;
  /// The entry, its name judged. What is there is not.
  [[nodiscard]] entry_of find_entry(std::string_view place, right r) const;
  /// What the entry is, judged too: the file system may know it by another name (casefold).
  [[nodiscard]] std::optional<reached> inode_of(const entry_of& e, right r) const;
  /// Is there something at a place, be it a link?
  [[nodiscard]] bool any_at(std::string_view place) const;

private:
  void judge_stopped(const stopped& s, wanted_right r) const;
  void judge_reached(const reached& there, wanted_right r) const;

  loaded_policy policy_;
  path_resolver places_;
};

/// The inode opened, without waiting for anybody. Throws.
[[nodiscard]] workspace_files::file open_again(const reached& there, int flags, wanted_right r);

} // namespace cordon::linux_shim
