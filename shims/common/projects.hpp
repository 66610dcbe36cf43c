// SPDX-License-Identifier: BSL-1.0
/// What a search for projects needs to know of this host and of its caller.
#pragma once

#include <cordon/run/project.hpp>

namespace cordon::shim {

[[nodiscard]] project_facts projects_of_caller();

} // namespace cordon::shim
