// SPDX-License-Identifier: BSL-1.0
#include <cordon.hpp>

namespace {
using namespace cordon::dsl;

constexpr cordon::policy ceiling = cordon::policy_of({can_run("/usr"), can_write("/srv"), hidden("/srv/.git")});
constexpr cordon::policy child = cordon::policy_of({can_run("/usr/bin"), can_write("/srv/build")});

static_assert(child <= ceiling);
static_assert(cordon::within<child, ceiling>());
static_assert(!(ceiling <= child));
} // namespace

int main() { return child <= ceiling ? 0 : 1; }
