// SPDX-License-Identifier: BSL-1.0
/// Reads the parts of git's configuration files that name further files which git acts upon: core.hooksPath,
/// include.path, and the directories of submodules in `.gitmodules`. git-config(1), SYNTAX.
#pragma once

#include "../../detail/ascii.hpp"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace cordon {

namespace detail {

/// A line `name = value`, or `name`, in a section of the file.
struct git_setting {
  std::string section; ///< in lower case, without a subsection
  std::string name;    ///< in lower case
  std::string value;   ///< without quotes, escapes and comments
};

[[nodiscard]] inline std::string_view trimmed(std::string_view text) {
  constexpr std::string_view blanks = " \t\r";
  text.remove_prefix(std::min(text.find_first_not_of(blanks), text.size()));
  return text.substr(0, text.find_last_not_of(blanks) + 1);
}

[[nodiscard]] inline std::string lower_text(std::string_view text) {
  std::string lower(text);
  for (char& c : lower) c = ascii::lower(c);
  return lower;
}

/// A value, up to a comment. `\n` and the like do not occur in names of files that matter here.
[[nodiscard]] inline std::string unquoted(std::string_view text) {
  std::string value;
  bool quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '"') quoted = !quoted;
    else if (c == '\\' && i + 1 < text.size()) value += text[++i];
    else if (!quoted && (c == '#' || c == ';')) break;
    else value += c;
  }
  return std::string(trimmed(value));
}

/// Lines that end in a backslash go on in the next one.
[[nodiscard]] inline std::string joined_lines(std::string_view text) {
  std::string all;
  for (std::size_t i = 0; i < text.size(); ++i)
    if (text[i] == '\\' && text.substr(i + 1, 1) == "\n") ++i;
    else if (text[i] == '\\' && text.substr(i + 1, 2) == "\r\n") i += 2;
    else all += text[i];
  return all;
}

/// Calls `f(git_setting)` for each setting, in their order.
template <class F> void each_git_setting(std::string_view text, F&& f) {
  const std::string all = joined_lines(text);
  std::string section;
  for (std::string_view rest = all; !rest.empty();) {
    const std::size_t end = rest.find('\n');
    std::string_view line = trimmed(rest.substr(0, end));
    rest.remove_prefix(end == rest.npos ? rest.size() : end + 1);
    while (line.starts_with('[')) {
      // A subsection is quoted, and may contain a bracket.
      const std::size_t quote = line.find('"'), close = line.find(']');
      const bool has_subsection = quote < close;
      const std::size_t from = has_subsection ? line.find('"', quote + 1) : 0;
      section = lower_text(trimmed(line.substr(1, std::min({close, quote, line.find('.')}) - 1)));
      const std::size_t after = from == line.npos ? line.npos : line.find(']', from);
      line = after == line.npos ? std::string_view() : trimmed(line.substr(after + 1));
    }
    const std::size_t equals = line.find('=');
    const std::string name = lower_text(trimmed(line.substr(0, equals)));
    if (name.empty() || name.front() == '#' || name.front() == ';') continue;
    f(git_setting{section, name, equals == line.npos ? std::string() : unquoted(trimmed(line.substr(equals + 1)))});
  }
}

} // namespace detail

/// What a configuration file of a repository refers to.
class git_config {
public:
  /// Reads the text of a configuration file. Broken text is no setting.
  explicit git_config(std::string_view text) {
    detail::each_git_setting(text, [&](const detail::git_setting& s) {
      if (s.section == "core" && s.name == "hookspath") hooks_path_ = s.value;
      if ((s.section == "include" || s.section == "includeif") && s.name == "path") included_.push_back(s.value);
      if (s.section == "extensions" && s.name == "worktreeconfig") has_worktree_files_ = s.value != "false";
    });
  }

  [[nodiscard]] const std::string& hooks_path() const { return hooks_path_; }          ///< empty: not set
  [[nodiscard]] const std::vector<std::string>& included() const { return included_; } ///< further files
  [[nodiscard]] bool has_worktree_files() const { return has_worktree_files_; }        ///< extensions.worktreeConfig

private:
  std::string hooks_path_;
  std::vector<std::string> included_;
  bool has_worktree_files_ = false;
};

/// The directories of submodules in the text of `.gitmodules`, relative to the checkout. Without those that leave it.
[[nodiscard]] inline std::vector<std::string> submodule_directories(std::string_view text) {
  std::vector<std::string> all;
  detail::each_git_setting(text, [&](const detail::git_setting& s) {
    const bool leaves = s.value.starts_with('/') || ("/" + s.value + "/").find("/../") != s.value.npos;
    if (s.section == "submodule" && s.name == "path" && !s.value.empty() && !leaves) all.push_back(s.value);
  });
  return all;
}

} // namespace cordon
