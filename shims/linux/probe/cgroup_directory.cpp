// SPDX-License-Identifier: BSL-1.0
#include "probe.hpp"

#include <algorithm>

namespace cordon::linux_shim {
namespace {

std::string_view take_line(std::string_view& text) {
  const auto end = text.find('\n');
  const auto line = text.substr(0, end);
  text.remove_prefix(end == text.npos ? text.size() : end + 1);
  return line;
}

std::string_view take_word(std::string_view& line) {
  const auto end = line.find(' ');
  const auto word = line.substr(0, end);
  line.remove_prefix(end == line.npos ? line.size() : end + 1);
  return word;
}

/// mountinfo writes space, tab, newline and backslash as three octal digits (proc(5)).
std::string unescape(std::string_view text) {
  std::string plain;
  for (std::size_t i = 0; i < text.size(); ++i)
    if (text[i] == '\\' && i + 3 < text.size()) {
      plain += static_cast<char>((text[i + 1] - '0') * 64 + (text[i + 2] - '0') * 8 + (text[i + 3] - '0'));
      i += 3;
    } else plain += text[i];
  return plain;
}

/// Is the word in a comma-separated list?
bool lists(std::string_view list, std::string_view word) {
  while (!list.empty()) {
    const auto end = list.find(',');
    if (list.substr(0, end) == word) return true;
    list.remove_prefix(end == list.npos ? list.size() : end + 1);
  }
  return false;
}

/// Returns: the path of a line `ID:CONTROLLERS:PATH` of /proc/self/cgroup. Version 2 has the id 0 and no controllers.
std::string_view path_in(std::string_view line, std::string_view controller) {
  if (controller.empty()) return line.starts_with("0::") ? line.substr(3) : std::string_view();
  line.remove_prefix(std::min(line.find(':') + 1, line.size()));
  const auto end = line.find(':');
  return end != line.npos && lists(line.substr(0, end), controller) ? line.substr(end + 1) : std::string_view();
}

/// Does the part of a mountinfo line after the hyphen, `TYPE SOURCE OPTIONS`, have the controller?
bool mounts(std::string_view tail, std::string_view controller) {
  if (controller.empty()) return tail.starts_with("cgroup2 ");
  if (take_word(tail) != "cgroup") return false;
  take_word(tail);
  return lists(tail, controller);
}

} // namespace

std::string cgroup_directory(std::string_view cgroup, std::string_view mountinfo, std::string_view controller) {
  std::string_view own;
  while (!cgroup.empty())
    if (const auto path = path_in(take_line(cgroup), controller); !path.empty()) own = path;
  if (own.empty() || own.starts_with("/..")) return {}; // outside this process's cgroup namespace
  while (!mountinfo.empty()) {
    std::string_view line = take_line(mountinfo);
    const auto type = line.find(" - ");
    if (type == line.npos || !mounts(line.substr(type + 3), controller)) continue;
    for (int skipped = 0; skipped < 3; ++skipped) take_word(line);
    const std::string root = unescape(take_word(line));
    std::string point = unescape(take_word(line));
    if (root == "/") return own == "/" ? point : point + std::string(own);
    if (own == root) return point;
    if (own.starts_with(root + "/")) return point + std::string(own.substr(root.size()));
  }
  return {};
}

} // namespace cordon::linux_shim
