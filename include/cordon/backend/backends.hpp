// SPDX-License-Identifier: BSL-1.0
/// All backends. A new one needs a header, a shim and a line here; the proofs, the goldens and the command line then
/// include it.
#pragma once

#include "../policy/preset.hpp"
#include "appcontainer.hpp"
#include "bubblewrap.hpp"
#include "container.hpp"
#include "landlock.hpp"
#include "linux.hpp"
#include "namespaces.hpp"
#include "rules_system.hpp"
#include "seatbelt.hpp"
#include "seccomp.hpp"
#include "unveil.hpp"
#include "wasi.hpp"

namespace cordon {

/// The backends in this build, for code that handles each of them.
template <class... Backends> struct backend_list {
  /// Calls `f.template operator()<Backend>()` for each in order, until one returns false. Returns true if none did.
  template <class F> static constexpr bool each(F&& f) { return (f.template operator()<Backends>() && ...); }
};

/// All backends, in the order of `cordon compile`.
using backends =
    backend_list<on_linux::backend, landlock::backend, seccomp::backend, namespaces::backend, bubblewrap::backend,
                 container::backend, seatbelt::backend, appcontainer::backend, unveil::backend, wasi::backend>;

/// The system of each backend.
template <class Backend> inline constexpr rules_system system_of{};
template <> inline constexpr rules_system system_of<container::backend>{.own_files = true};
template <> inline constexpr rules_system system_of<seatbelt::backend>{.on = platform::macos};
template <> inline constexpr rules_system system_of<appcontainer::backend>{.on = platform::windows};
template <> inline constexpr rules_system system_of<unveil::backend>{.on = platform::openbsd};
template <> inline constexpr rules_system system_of<wasi::backend>{.any = true};

} // namespace cordon
