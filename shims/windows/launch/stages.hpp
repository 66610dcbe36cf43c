// SPDX-License-Identifier: BSL-1.0
/// The stages of a launch, see `stages` and `plain_stages`. Each returns 0 or an error of GetLastError.
#pragma once

#include "launch.hpp"

namespace cordon::windows_shim {

// Set-up, before the process exists (set_up.cpp).
DWORD make_profile(init_setup&);
DWORD give(init_setup&);
DWORD name_capabilities(init_setup&);
DWORD restrict_token(init_setup&);
DWORD lower_integrity(init_setup&);
DWORD make_job(init_setup&);

// The attributes of the process (attributes.cpp).
DWORD make_list(init_setup&);
DWORD add_container(init_setup&);
DWORD add_packages_policy(init_setup&);
DWORD add_child_policy(init_setup&);
/// The program inherits exactly these handles, whatever others are marked inheritable. Without any, the list is left
/// out and nothing is inherited.
DWORD add_handles(init_setup&);
DWORD add_job(init_setup&);

// The process, suspended (set_up.cpp).
DWORD create_process(init_setup&);

// What is in force in it (verify.cpp). `not_in_force` if a setting is not.
DWORD see_container(init_setup&);
DWORD see_packages_policy(init_setup&);
DWORD see_child_policy(init_setup&);
DWORD see_integrity(init_setup&);
DWORD see_privileges(init_setup&);
DWORD see_groups(init_setup&);
DWORD see_job(init_setup&);
DWORD see_limits(init_setup&);

DWORD resume(init_setup&);

} // namespace cordon::windows_shim
