// SPDX-License-Identifier: BSL-1.0
/// The facts about this host and its caller that a search for projects needs.
#pragma once

#include <cordon/run/project.hpp>

namespace cordon::shim {

[[nodiscard]] project_facts projects_of_caller();

} // namespace cordon::shim
