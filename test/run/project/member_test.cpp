// SPDX-License-Identifier: BSL-1.0
#include <cordon/run/project/member.hpp>

#include "scratch.hpp"

#include <doctest/doctest.h>

using namespace cordon;

namespace {

/// An outer file, a directory inside, and whether that is a member.
struct member_row {
  std::string_view member, outer, text, place;
  bool listed;
};

constexpr member_row member_rows[]{
    {"Cargo.toml", "Cargo.toml", "[workspace]\nmembers = [\"a\", 'b/c'] # two\n", "a", true},
    {"Cargo.toml", "Cargo.toml", "[workspace]\nmembers = [\n  # \"no\",\n  \"a\",\n  \"b/c\",\n]\n", "b/c", true},
    {"Cargo.toml", "Cargo.toml", "[workspace]\nmembers = [\n  # \"no\",\n  \"a\",\n]\n", "no", false},
    {"Cargo.toml", "Cargo.toml", "[ workspace ]\nmembers = [\"crates/*\"]\n", "crates/x", true},
    {"Cargo.toml", "Cargo.toml", "[workspace]\nmembers = [\"crates/*\"]\n", "crates/x/y", false},
    {"Cargo.toml", "Cargo.toml", "[workspace]\nmembers = [\"c/**\"]\n", "c/x/y", true},
    {"Cargo.toml", "Cargo.toml", "[workspace]\nexclude = [\"c/x\"]\nmembers = [\"c/**\"]\n", "c/x/y", false},
    {"Cargo.toml", "Cargo.toml", "[package]\nmembers = [\"a\"]\n[workspace]\n", "a", false},
    {"Cargo.toml", "Cargo.toml", "workspace.members = [\"a\"]\n", "a", true},
    {"Cargo.toml", "Cargo.toml", "[workspace.metadata]\nmembers = [\"a\"]\n", "a", false},
    {"Cargo.toml", "Cargo.toml", "x = \"\"\"\n[workspace]\nmembers = [\"a\"]\n\"\"\"\n", "a", false},
    {"Cargo.toml", "Cargo.toml", "[workspace]\nmembers = [\"a\"", "a", false},
    {"Cargo.toml", "Cargo.toml", "[workspace]\nmembers = [\"../up\", \"./a/\"]\n", "a", true},
    {"package.json", "package.json", R"({"workspaces": ["packages/*", "!packages/no"]})", "packages/a", true},
    {"package.json", "package.json", R"({"workspaces": ["packages/*", "!packages/no"]})", "packages/no", false},
    {"package.json", "package.json", R"({"workspaces": {"packages": ["./web"]}})", "web", true},
    {"package.json", "package.json", R"({"dependencies": {"web": "file:web"}})", "web", false},
    {"package.json", "package.json", R"({"workspaces": ["web"])", "web", false},
    {"package.json", "pnpm-workspace.yaml", "packages:\n  # all\n  - 'web/*'\n  - \"!web/no\"\n", "web/a", true},
    {"package.json", "pnpm-workspace.yaml", "packages:\n  - 'web/*'\n  - \"!web/no\"\n", "web/no", false},
    {"package.json", "pnpm-workspace.yaml", "catalog:\n  - web\n", "web", false},
    {"go.mod", "go.work", "go 1.22\n\nuse ./tool // mine\n", "tool", true},
    {"go.mod", "go.work", "use (\n\t./a\n\t\"./b\"\n)\nreplace x => ./c\n", "b", true},
    {"go.mod", "go.work", "use (\n\t./a\n)\nreplace x => ./c\n", "c", false},
    {"go.mod", "go.mod", "use ./tool\n", "tool", false},
    {"pyproject.toml", "pyproject.toml", "[tool.uv.workspace]\nmembers = [\"packages/*\"]\n", "packages/a", true},
    {"pyproject.toml", "pyproject.toml", "[tool.uv]\nmembers = [\"packages/*\"]\n", "packages/a", false},
    {"pom.xml", "pom.xml", "<modules><module>core</module>\n<module> web/pom.xml </module></modules>", "web", true},
    {"pom.xml", "pom.xml", "<modules><!-- <module>core</module> --></modules>", "core", false},
    {"pom.xml", "pom.xml", "<modules><module>${it}</module><module>core</module></modules>", "core", true},
    {"meson.build", "meson.build", "project('x')\n", "subprojects/y", true},
    {"meson.build", "meson.build", "project('x')\n", "subprojects/y/z", false},
    {"meson.build", "meson.build", "project('x')\nif true\n  subdir('src/lib', if_found: d)\nendif\n", "src/lib", true},
    {"meson.build", "meson.build", "# subdir('a')\nm = 'subdir(\\'a\\')'\nmysubdir('a')\n", "a", false},
    {"meson.build", "meson.build", "m = '''\nsubdir('a')\n'''\nsubdir(name)\n", "a", false},
    {"meson.build", "meson.build", "m = '''it's\nsubdir('a')\n'''\n", "a", false},
    {"meson.build", "meson.build", "subdir('*')\n", "a", false},
    {"package.json", "Cargo.toml", "[workspace]\nmembers = [\"a\"]\n", "a", false},
    {"meson.build", "harn.toml", "subdir('a')", "a", false},
    {"CMakeLists.txt", "CMakeLists.txt", "ADD_SUBDIRECTORY ( src EXCLUDE_FROM_ALL)\n", "src", true},
    {"CMakeLists.txt", "CMakeLists.txt", "add_subdirectory(\"${CMAKE_CURRENT_SOURCE_DIR}/src\")\n", "src", true},
    {"CMakeLists.txt", "CMakeLists.txt", "#[[ add_subdirectory(src) ]]\n# add_subdirectory(src)\n", "src", false},
    {"CMakeLists.txt", "CMakeLists.txt", "add_subdirectory(${dir}/src)\nset(add_subdirectory src)\n", "src", false},
};

} // namespace

TEST_CASE("project_member: an outer project lists its members in the syntax of its build system") {
  for (const member_row& r : member_rows) {
    CAPTURE(r.text);
    CAPTURE(r.place);
    const scratch s;
    const std::string inner(r.place);
    s.file(std::string(r.outer), std::string(r.text));
    s.file(inner + "/" + std::string(r.member));
    const auto exists = [](const std::filesystem::path& f) { return std::filesystem::exists(f); };
    CHECK(file_that_lists(s.top, s.top / inner, exists) == (r.listed ? r.outer : std::string_view()));
    const auto none = [](const std::filesystem::path&) { return false; };
    CHECK(file_that_lists(s.top, s.top / inner, none).empty());
  }
}

TEST_CASE("project_member: a large or unreadable project file lists no members") {
  const scratch s;
  const std::string list = "[workspace]\nmembers = [\"a\"]\n";
  const auto exists = [](const std::filesystem::path& f) { return std::filesystem::exists(f); };
  s.file("a/Cargo.toml");
  s.file("Cargo.toml", list + std::string((64 << 10) - list.size(), '#'));
  CHECK(file_that_lists(s.top, s.top / "a", exists) == "Cargo.toml");
  s.file("Cargo.toml", list + std::string((64 << 10) - list.size() + 1, '#'));
  CHECK(file_that_lists(s.top, s.top / "a", exists).empty());
}

TEST_CASE("project_member: one star matches inside a component, two match any number of components") {
  CHECK(manifest::matches("/a/*", "/a/b"));
  CHECK_FALSE(manifest::matches("/a/*", "/a/b/c"));
  CHECK(manifest::matches("/a/?x*", "/a/bxyz"));
  CHECK_FALSE(manifest::matches("/a/?x*", "/a/x"));
  CHECK(manifest::matches("/a/**/d", "/a/b/c/d"));
  CHECK(manifest::matches("/a/**/d", "/a/d"));
  CHECK(manifest::matches("/**", "/a/b"));
  CHECK_FALSE(manifest::matches("/a/**/d", "/a/b/c"));
  CHECK_FALSE(manifest::matches("/**/**/**", "/a"));
}
