// SPDX-License-Identifier: BSL-1.0
/// Environment variables that redirect the caches of tools, and what Chromium keeps of a user. Home is read-only, so
/// each tool gets a directory below the run's temporary directory, through the variable that the tool documents
/// (Chromium: docs/user_data_dir.md). Data; a host may use another table.
#pragma once

#include <string_view>

namespace cordon {

/// A variable that moves a tool's cache into the private directory.
struct cache_variable {
  std::string_view name;      ///< environment variable of the tool
  std::string_view directory; ///< below the run's temporary directory
};

/// The variables that a run sets.
inline constexpr cache_variable redirected_caches[]{
    {"npm_config_cache", "npm"},      {"PIP_CACHE_DIR", "pip"},       {"GOCACHE", "go"},
    {"CCACHE_DIR", "ccache"},         {"GRADLE_USER_HOME", "gradle"}, {"XDG_CACHE_HOME", "cache"},
    {"CHROME_CONFIG_HOME", "chrome"},
};

} // namespace cordon
