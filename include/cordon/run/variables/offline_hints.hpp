// SPDX-License-Identifier: BSL-1.0
/// Environment variables that tell tools that they can reach no host. Each tool then uses what it has in its caches, or
/// fails at once, instead of repeating a request for a minute. Each is a variable that the tool documents. Data; a
/// policy that names one of these takes precedence.
#pragma once

#include "tool_variable.hpp"

namespace cordon {

/// The variables that a run sets if its policy allows no host.
inline constexpr tool_variable offline_hints[]{
    {"npm_config_offline", "true"},    // npm-config(7), `offline`
    {"YARN_ENABLE_NETWORK", "false"},  // Yarn 2 and later, `enableNetwork`
    {"PIP_NO_INDEX", "1"},             // pip install, `--no-index`
    {"UV_OFFLINE", "1"},               // uv, `--offline`
    {"CARGO_NET_OFFLINE", "true"},     // cargo, `net.offline`
    {"GOPROXY", "off"},                // go help environment
    {"MAVEN_ARGS", "--offline"},       // mvn 3.9 and later
    {"COMPOSER_DISABLE_NETWORK", "1"}, // composer
};

} // namespace cordon
