// SPDX-License-Identifier: BSL-1.0
/// The facts about this host and its caller that a search for projects and a check of links need.
#pragma once

#include <cordon/run/links/link_facts.hpp>
#include <cordon/run/project.hpp>

namespace cordon::shim {

[[nodiscard]] project_facts projects_of_caller();

/// Adds the facts of this host that a request left out: every run checks links by the same facts.
void complete(link_facts& links);

/// Throws: `refused` if a program of an earlier run may have created a link on the way to a directory for a run. A
/// directory that is not listed counts too: the program of another run may be at work in it.
void check_directory(const judged_name& way);

} // namespace cordon::shim
