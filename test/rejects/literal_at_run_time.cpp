// prints: a_path_must_be_absolute_and_in_normal_form
// SPDX-License-Identifier: BSL-1.0
#include <cordon.hpp>

using namespace cordon::dsl;

// A wrong literal stops the build also beside texts that are known only at run time.
cordon::policy made_of(std::string_view place) {
#ifdef CONTROL
  return cordon::policy_of({can_read(place), can_run("/usr")});
#else
  return cordon::policy_of({can_read(place), can_run("usr")});
#endif
}
