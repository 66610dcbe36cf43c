// SPDX-License-Identifier: BSL-1.0
/// Finds arguments that are paths for which the policy grants nothing, by their text alone. Nothing on disk is read; a
/// caller that may read the disk supplies the targets of symbolic links (`find_path`).
#pragma once

#include "../policy/default_devices.hpp"
#include "../policy/policy.hpp"
#include "option_letters.hpp"
#include "value.hpp"

namespace cordon::guard {

/// The directories that a command line runs with. Paths are absolute and in normal form.
struct surroundings {
  std::string_view workspace{};       ///< a path in normal form; empty: unknown
  std::string_view cwd{};             ///< the base of relative paths; empty: the workspace
  step_function<path_tree> granted{}; ///< a workspace of several directories: the paths with any right
  step_function<path_tree> files{};   ///< the paths for which the started program has any right
  /// For callers that read the file system: true if the policy grants anything for the target of a path's symbolic
  /// links. Null: links are not followed.
  bool (*leads_inside)(const surroundings&, std::string_view path) = nullptr;

  /// Without either, paths are not checked.
  [[nodiscard]] constexpr bool are_known() const { return !workspace.empty() || !cwd.empty(); }
};

/// True if the policy grants anything for the path, which is absolute and in normal form.
[[nodiscard]] constexpr bool grants(const surroundings& where, std::string_view path) {
  return (!where.workspace.empty() && path::covers(where.workspace, path)) || where.granted.lookup(path) != 0 ||
         where.files.lookup(path) != 0;
}

/// True for the devices and standard streams that every process has.
[[nodiscard]] constexpr bool is_device(std::string_view path) {
  for (const default_device& d : machine_devices)
    if (path == d.place) return true;
  for (const std::string_view stream : standard_streams)
    if (path == stream) return true;
  return false;
}

namespace detail {

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
  // No system call takes a longer path. The limit also bounds the time for an argument full of `=`.
  if (path.size() > path::longest) return false;
  if (!path.starts_with('/') && !has_parent(path)) return false;
  path::normal n;
  path::normalize(path, where.cwd.empty() ? where.workspace : where.cwd, {}, n);
  if (!n) return true; // such as ~/..: a program may expand ~ to a home directory
  if (is_device(n.view()) || grants(where, n.view())) return false;
  return where.leads_inside == nullptr || !where.leads_inside(where, n.view());
}

using path_text = host::small_text<path::longest>;

/// RFC 3986, 2.1: `%2e` is a dot.
constexpr void decode(std::string_view written, path_text& path) {
  for (std::size_t i = 0; i < written.size(); ++i) {
    const host::parsed_number byte = written[i] == '%' && i + 2 < written.size()
                                         ? host::parse_number(written.substr(i + 1, 2), 16, 255)
                                         : host::parsed_number{};
    path.add(byte ? static_cast<char>(byte.value) : written[i]);
    if (byte) i += 2;
  }
}

/// Calls `f` with the text if it is a path as a whole, without a leading @. A path that exceeds the limit counts as one
/// that leaves.
template <class F> [[nodiscard]] constexpr bool with_path(std::string_view text, F&& f) {
  if (text.starts_with('@')) text.remove_prefix(1);
  const url u = url_of(text);
  if (!u) return f(text);
  if (!u.is_file()) return false;
  path_text path;
  decode(u.path, path);
  return path.is_cut() || f(path.view());
}

} // namespace detail

/// True if the argument, or a value in it, names a path for which `f` holds. O(n) in its size, and f.
template <class F> [[nodiscard]] constexpr bool any_path(std::string_view argument, F&& f) {
  return any_value(argument, [&](std::string_view text) { return detail::with_path(text, f); });
}

/// True if the program's argument, or a value in it, leads out of the workspace. O(n) in its size.
[[nodiscard]] constexpr bool leaves_workspace(std::string_view program, std::string_view argument,
                                              const surroundings& where) {
  if (!where.are_known()) return false;
  const auto leaves = [&](std::string_view path) { return detail::path_leaves(path, where); };
  if (any_path(argument, leaves)) return true;
  const std::string_view attached = attached_path(program, argument);
  return !has_blank(attached) && detail::with_path(attached, leaves);
}

} // namespace cordon::guard
