// SPDX-License-Identifier: BSL-1.0
/// Tools that want to write a cache under home. Home is not writable, so that each is told to use a directory of the
/// run's own instead, by the variable that the tool itself documents. Data; a host may use another table.
#pragma once

#include <string_view>

namespace cordon {

struct cache_variable {
  std::string_view name;      ///< environment variable of the tool
  std::string_view directory; ///< beneath the run's temporary directory
};

inline constexpr cache_variable redirected_caches[]{
    {"npm_config_cache", "npm"}, {"PIP_CACHE_DIR", "pip"},       {"GOCACHE", "go"},
    {"CCACHE_DIR", "ccache"},    {"GRADLE_USER_HOME", "gradle"}, {"XDG_CACHE_HOME", "cache"},
};

} // namespace cordon
