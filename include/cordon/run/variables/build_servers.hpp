// SPDX-License-Identifier: BSL-1.0
/// Environment variables that turn off build servers which all builds of a user share. A confined client would get its
/// work done by an unconfined server, and a confined server would then also serve unconfined clients. So each tool runs
/// without a server, through the variable that the tool documents. Data; a policy that sets one of these takes
/// precedence.
#pragma once

#include "tool_variable.hpp"

namespace cordon {

/// The variables that a run sets.
inline constexpr tool_variable without_build_servers[]{
    {"RUSTC_WRAPPER", ""}, // sccache, even if cargo's configuration names it
    {"RUSTC_WORKSPACE_WRAPPER", ""},
    {"NX_DAEMON", "false"},
    {"MSBUILDDISABLENODEREUSE", "1"},
    {"DOTNET_CLI_USE_MSBUILD_SERVER", "0"},
    {"UseSharedCompilation", "false"}, // compiler server of .NET
};

} // namespace cordon
