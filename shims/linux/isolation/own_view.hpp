// SPDX-License-Identifier: BSL-1.0
/// What every view has of its own, whatever the policy says: /proc, /dev, a private /tmp, the links of /usr.
#pragma once

#include "view_writer.hpp"

namespace cordon::linux_shim {

/// `whole`: the machine's root is shown, and has the directories. `all`: the places of the rules, resolved.
void add_own_places(view_writer& to, const namespaces::rules<heap>& rules, mounts::list all, bool whole);

} // namespace cordon::linux_shim
