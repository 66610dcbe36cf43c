// SPDX-License-Identifier: BSL-1.0
/// Tools that hand work over to a server which all builds of a user share. A confined client would have it done by
/// whoever is not confined, and a confined server would stay so for everybody: each is told to do without, by the variable
/// that it documents itself. Data; a policy that sets one of these has its way.
#pragma once

#include <string_view>

namespace cordon {

struct server_variable {
  std::string_view name;
  std::string_view value;
};

inline constexpr server_variable without_build_servers[]{
    {"RUSTC_WRAPPER", ""}, // sccache, also where cargo's configuration names it
    {"RUSTC_WORKSPACE_WRAPPER", ""},
    {"NX_DAEMON", "false"},
    {"MSBUILDDISABLENODEREUSE", "1"},
    {"DOTNET_CLI_USE_MSBUILD_SERVER", "0"},
    {"UseSharedCompilation", "false"}, // of the compiler server of .NET
};

} // namespace cordon
