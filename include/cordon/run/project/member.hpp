// SPDX-License-Identifier: BSL-1.0
/// Does an outer project list an inner directory as its member? Reads the files of Cargo, npm, pnpm, Go, uv, Maven,
/// Meson and CMake: plain words in small files. Runs nothing and expands no variable. An entry that is not plain text
/// lists no member, so the inner directory remains a separate project.
#pragma once

#include "../../format/place.hpp"
#include "../../policy/path.hpp"
#include "manifest_text.hpp"
#include "repository.hpp"

#include <algorithm>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace cordon {

namespace detail {

/// Members that a file lists: patterns for paths relative to its directory.
struct member_list {
  std::vector<std::string> members{}, excluded{};
};

/// Is the path listed? It is relative to the outer project, in normal form, with a slash in front.
[[nodiscard]] inline bool lists(const member_list& all, std::string_view place) {
  const auto among = [](const std::vector<std::string>& patterns, std::string_view one) {
    return std::any_of(patterns.begin(), patterns.end(), [&](const std::string& written) {
      const path::normal pattern = path::normalize(written, "/");
      return pattern && manifest::matches(pattern.view(), one);
    });
  };
  for (std::string_view around = place; around != "/"; around = path::parent(around))
    if (among(all.excluded, around)) return false;
  return among(all.members, place);
}

[[nodiscard]] inline member_list members_of_cargo(std::string_view text) {
  return {manifest::toml_list(text, "workspace", "members"), manifest::toml_list(text, "workspace", "exclude")};
}
[[nodiscard]] inline member_list members_of_uv(std::string_view text) {
  return {manifest::toml_list(text, "tool.uv.workspace", "members"),
          manifest::toml_list(text, "tool.uv.workspace", "exclude")};
}

/// A pattern with an exclamation mark excludes members.
inline void add_member(member_list& to, std::string_view pattern) {
  if (pattern.starts_with('!')) to.excluded.emplace_back(pattern.substr(1));
  else to.members.emplace_back(pattern);
}

inline namespace abi_0 {

/// `workspaces` of package.json is a list, or an object with a list `packages`.
[[nodiscard]] member_list members_of_npm(std::string_view text);

} // namespace abi_0

/// The list `packages` of pnpm-workspace.yaml, an item a line.
[[nodiscard]] inline member_list members_of_pnpm(std::string_view text) {
  member_list all;
  bool inside = false;
  manifest::each_line(text, [&](std::string_view line) {
    const std::string_view words = manifest::trimmed(line);
    if (words.empty() || words.front() == '#') return;
    if (words.front() != '-') inside = line.front() != ' ' && words == "packages:";
    else if (inside) add_member(all, manifest::unquoted(manifest::trimmed(words.substr(1))));
  });
  return all;
}

/// `use ./a` and `use ( ... )` of go.work.
[[nodiscard]] inline member_list members_of_go(std::string_view text) {
  member_list all;
  bool inside = false;
  manifest::each_line(text, [&](std::string_view line) {
    std::string_view words = manifest::trimmed(line.substr(0, line.find("//")));
    if (inside && words == ")") return void(inside = false);
    if (!inside) {
      if (!words.starts_with("use") || words.size() < 4 || (words[3] != ' ' && words[3] != '\t' && words[3] != '('))
        return;
      words = manifest::trimmed(words.substr(3));
      if (words == "(") return void(inside = true);
    }
    if (!words.empty()) all.members.emplace_back(manifest::unquoted(words));
  });
  return all;
}

/// `<module>` of pom.xml: a directory, or a file in it.
[[nodiscard]] inline member_list members_of_maven(std::string_view text) {
  constexpr std::string_view open = "<module>", close = "</module>";
  const std::string plain = manifest::without(text, "<!--", "-->");
  member_list all;
  for (std::size_t at = 0; (at = plain.find(open, at)) != plain.npos;) {
    const std::size_t from = at + open.size(), end = plain.find(close, from);
    if (end == plain.npos) break;
    std::string_view module = manifest::trimmed(std::string_view(plain).substr(from, end - from));
    if (module.ends_with("/pom.xml")) module.remove_suffix(8);
    if (!module.empty() && module.find('$') == module.npos) all.members.emplace_back(module);
    at = end;
  }
  return all;
}

[[nodiscard]] inline member_list members_of_meson(std::string_view text) {
  member_list all{manifest::first_arguments(text, "subdir", manifest::language::meson)};
  all.members.emplace_back("subprojects/*");
  return all;
}
[[nodiscard]] inline member_list members_of_cmake(std::string_view text) {
  return {manifest::first_arguments(text, "add_subdirectory", manifest::language::cmake)};
}

/// The member's file, the outer project's file that lists members, and the function that reads it.
struct member_kind {
  std::string_view member, outer;
  member_list (*read)(std::string_view);
};
inline constexpr member_kind member_kinds[]{
    {"Cargo.toml", "Cargo.toml", members_of_cargo},           {"package.json", "package.json", members_of_npm},
    {"package.json", "pnpm-workspace.yaml", members_of_pnpm}, {"go.mod", "go.work", members_of_go},
    {"pyproject.toml", "pyproject.toml", members_of_uv},      {"pom.xml", "pom.xml", members_of_maven},
    {"meson.build", "meson.build", members_of_meson},         {"CMakeLists.txt", "CMakeLists.txt", members_of_cmake}};

} // namespace detail

/// Returns: the file in the outer directory that lists the inner one as its member; empty if none does. `is_own(file)`:
/// does the file count? Both paths are resolved; the inner one is below the outer one.
template <class Own>
[[nodiscard]] std::string_view file_that_lists(const std::filesystem::path& outer, const std::filesystem::path& inner,
                                               Own&& is_own) {
  const std::string below = "/" + inner.lexically_relative(outer).generic_string();
  for (const detail::member_kind& k : detail::member_kinds)
    if (is_own(inner / k.member) && is_own(outer / k.outer) &&
        detail::lists(k.read(detail::small_file(outer / k.outer)), below))
      return k.outer;
  return {};
}

} // namespace cordon
