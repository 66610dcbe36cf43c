// SPDX-License-Identifier: BSL-1.0
/// Files of a project on which programs act by themselves: a shell prompt that calls git, an editor that opens the
/// directory, a coding agent that starts its servers. A program that could write them could run code outside its run.
/// What a user starts by name (Makefile, package.json, the files of a CI system) is not among them.
#pragma once

#include "protected_settings.hpp"

#include <string_view>

namespace cordon {

/// A file or directory of settings, relative to the directory of a project or of a repository.
struct setting_row {
  std::string_view path;   ///< relative
  placeholder missing;     ///< what takes its path
  std::string_view effect; ///< what programs do with it
  std::string_view source; ///< the documentation of that fact
};

// One row a line.
// clang-format off
/// In the directory of a project.
inline constexpr setting_row project_setting_rows[]{
    {".claude", placeholder::directory, "Claude Code runs its hooks and starts its servers", "Claude Code documentation, Hooks: settings files"},
    {".codex", placeholder::directory, "Codex starts its servers", "Codex documentation, Configuration: project files"},
    {".cordon", placeholder::directory, "a policy of cordon, which must not loosen itself", "cordon run --policy"},
    {".cursor", placeholder::directory, "Cursor runs its hooks and starts its servers", "Cursor documentation, Model Context Protocol: project configuration"},
    {".envrc", placeholder::directory, "direnv runs it in a shell that enters the directory", "direnv(1)"},
    {".exrc", placeholder::directory, "Vim and Neovim run it with the option exrc", "Vim reference manual, 'exrc'"},
    {".gemini", placeholder::directory, "Gemini CLI starts its servers", "Gemini CLI documentation, Configuration: settings.json"},
    {".gvimrc", placeholder::none, "Vim runs it with the option exrc", "Vim reference manual, 'exrc'"},
    {".husky", placeholder::directory, "git runs its hooks where core.hooksPath names it", "husky documentation, How to"},
    {".idea", placeholder::directory, "IntelliJ IDEA runs its startup tasks and file watchers", "IntelliJ IDEA documentation, Startup tasks"},
    {".mcp.json", placeholder::directory, "coding agents start its servers", "Claude Code documentation, MCP: project scope"},
    {".nvim.lua", placeholder::directory, "Neovim runs it with the option exrc", "Neovim reference manual, 'exrc'"},
    {".nvimrc", placeholder::none, "Neovim runs it with the option exrc", "Neovim reference manual, 'exrc'"},
    {".vimrc", placeholder::none, "Vim runs it with the option exrc", "Vim reference manual, 'exrc'"},
    {".vscode", placeholder::directory, "Visual Studio Code runs tasks when it opens the directory", "Visual Studio Code documentation, Tasks: runOn folderOpen"},
    {".zed", placeholder::directory, "Zed starts the language servers of its settings", "Zed documentation, Configuring languages: binary"},
};

/// In the directory of a repository, which is also the common directory of its worktrees.
inline constexpr setting_row repository_setting_rows[]{
    {"commondir", placeholder::here, "git reads configuration and hooks from the directory that it names", "gitrepository-layout(5), commondir"},
    {"config", placeholder::file, "git runs core.fsmonitor, filters, pagers and aliases", "git-config(1), core.fsmonitor"},
    {"config.worktree", placeholder::file, "the same, with extensions.worktreeConfig", "git-worktree(1), CONFIGURATION FILE"},
    {"hooks", placeholder::directory, "git runs its programs", "githooks(5)"},
    {"info/attributes", placeholder::file, "git chooses filters and diff drivers by it", "gitattributes(5)"},
};

/// In the directory of one worktree of a repository.
inline constexpr setting_row worktree_setting_rows[]{
    {"commondir", placeholder::none, "git reads configuration and hooks from the directory that it names", "gitrepository-layout(5), commondir"},
    {"config.worktree", placeholder::file, "git reads configuration from it, with extensions.worktreeConfig", "git-worktree(1), CONFIGURATION FILE"},
};

/// In the directory of a project that is no repository yet: a new repository there would have hooks and configuration.
inline constexpr setting_row new_repository_rows[]{
    {".git", placeholder::directory, "git reads configuration and hooks from it", "gitrepository-layout(5)"},
    {"HEAD", placeholder::directory, "with it, git can take the directory itself for a repository", "git-config(1), safe.bareRepository"},
};
// clang-format on

} // namespace cordon
