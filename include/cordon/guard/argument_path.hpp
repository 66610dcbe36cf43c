// SPDX-License-Identifier: BSL-1.0
/// Arguments that are paths out of the workspace, as far as their text says so. Nothing on disk is looked at.
#pragma once

#include "../policy.hpp"
#include "value.hpp"

namespace cordon::guard {

/// Where a command line will run. Paths are absolute and in normal form.
struct surroundings {
  std::string_view workspace{};
  std::string_view cwd{};    ///< what relative paths start at; empty: the workspace
  step<path_tree> granted{}; ///< a workspace of several places: where it has any right

  /// Without either, paths are not looked at.
  [[nodiscard]] constexpr bool are_known() const { return !workspace.empty() || !cwd.empty(); }
};

namespace detail {

inline constexpr std::string_view devices[]{"/dev/null",  "/dev/zero",   "/dev/random", "/dev/urandom",
                                            "/dev/stdin", "/dev/stdout", "/dev/stderr"};

[[nodiscard]] constexpr bool has_parent(std::string_view path) {
  for (std::size_t i = 0; i <= path.size();) {
    std::size_t end = path.find('/', i);
    if (end == path.npos) end = path.size();
    if (path.substr(i, end - i) == "..") return true;
    i = end + 1;
  }
  return false;
}

[[nodiscard]] constexpr bool path_leaves(std::string_view path, const surroundings& where) {
  // No system call takes a longer one, and the time for an argument full of = stays in bounds.
  if (path.size() > path::longest) return false;
  if (!path.starts_with('/') && !has_parent(path)) return false;
  path::normal n;
  path::normalize(path, where.cwd.empty() ? where.workspace : where.cwd, {}, n);
  if (!n) return true; // such as ~/..: whoever reads it may know a home
  for (const std::string_view d : devices)
    if (n.view() == d) return false;
  const bool inside = !where.workspace.empty() && path::covers(where.workspace, n.view());
  return !inside && where.granted.value(n.view()) == 0;
}

/// RFC 3986, 2.1: `%2e` is a dot.
[[nodiscard]] constexpr bool file_leaves(std::string_view written, const surroundings& where) {
  host::small_text<path::longest> path;
  for (std::size_t i = 0; i < written.size(); ++i) {
    const host::parsed_number byte = written[i] == '%' && i + 2 < written.size()
                                         ? host::parse_number(written.substr(i + 1, 2), 16, 255)
                                         : host::parsed_number{};
    path.add(byte ? static_cast<char>(byte.value) : written[i]);
    if (byte) i += 2;
  }
  return path.is_cut() || path_leaves(path.view(), where);
}

/// The text is a path as a whole, perhaps with an @ before it, and leads out.
[[nodiscard]] constexpr bool text_leaves(std::string_view text, const surroundings& where) {
  if (text.starts_with('@')) text.remove_prefix(1);
  if (const url u = url_of(text)) return u.is_file() && file_leaves(u.path, where);
  return path_leaves(text, where);
}

} // namespace detail

/// Does the argument, or a value in it, lead out of the workspace? O(n) in its size.
[[nodiscard]] constexpr bool leaves_workspace(std::string_view argument, const surroundings& where) {
  if (!where.are_known()) return false;
  return any_value(argument, [&](std::string_view text) { return detail::text_leaves(text, where); });
}

} // namespace cordon::guard
