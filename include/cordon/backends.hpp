// SPDX-License-Identifier: BSL-1.0
/// Every backend there is. A new one is a header, a shim and a line here; the proofs, the goldens and the command line
/// then know it.
#pragma once

#include "backend/appcontainer.hpp"
#include "backend/bubblewrap.hpp"
#include "backend/container.hpp"
#include "backend/landlock.hpp"
#include "backend/linux.hpp"
#include "backend/namespaces.hpp"
#include "backend/seatbelt.hpp"
#include "backend/seccomp.hpp"
#include "backend/unveil.hpp"
#include "backend/wasi.hpp"

namespace cordon {

template <class... Backends> struct backend_list {
  /// Calls `f.template operator()<Backend>()` for each in order, until one returns false; true if none did.
  template <class F> static constexpr bool each(F&& f) { return (f.template operator()<Backends>() && ...); }
};

using backends =
    backend_list<on_linux::backend, landlock::backend, seccomp::backend, namespaces::backend, bubblewrap::backend,
                 container::backend, seatbelt::backend, appcontainer::backend, unveil::backend, wasi::backend>;

} // namespace cordon
