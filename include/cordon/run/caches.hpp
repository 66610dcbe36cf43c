// SPDX-License-Identifier: BSL-1.0
/// Environment variables that redirect the caches of tools. Home is read-only, so each tool gets a cache directory
/// below the run's temporary directory, through the variable that the tool documents. Data; a host may use another
/// table.
#pragma once

#include <string_view>

namespace cordon {

struct cache_variable {
  std::string_view name;      ///< environment variable of the tool
  std::string_view directory; ///< below the run's temporary directory
};

inline constexpr cache_variable redirected_caches[]{
    {"npm_config_cache", "npm"}, {"PIP_CACHE_DIR", "pip"},       {"GOCACHE", "go"},
    {"CCACHE_DIR", "ccache"},    {"GRADLE_USER_HOME", "gradle"}, {"XDG_CACHE_HOME", "cache"},
};

} // namespace cordon
