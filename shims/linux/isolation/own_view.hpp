// SPDX-License-Identifier: BSL-1.0
/// The private parts of every view, whatever the policy grants: /proc, /dev, a private /tmp, the links of /usr.
#pragma once

#include "view_writer.hpp"

namespace cordon::linux_shim {

/// Adds them. `whole`: the view shows the host's root, which has the directories. `all`: the resolved paths of the
/// rules.
void add_own_places(view_writer& to, const namespaces::rules<heap>& rules, mounts::list all, bool whole);

} // namespace cordon::linux_shim
