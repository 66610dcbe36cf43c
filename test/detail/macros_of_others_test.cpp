// SPDX-License-Identifier: BSL-1.0
/// Headers of other libraries define these words as macros: Qt, macOS' AssertMacros.h. Public headers of cordon that
/// are included after them still compile.
#define slots
#define signals public
#define emit
#define foreach for

#include <cordon.hpp>
#include <cordon/backend/backends.hpp>
#include <cordon/gap/gap_text.hpp>
#include <cordon/guard/guard.hpp>
#include <cordon/host/host.hpp>
#include <cordon/notation/literals.hpp>
#include <cordon/notation/print.hpp>
#include <cordon/policy/heap.hpp>
#include <cordon/policy/widen.hpp>
#include <cordon/query/explain.hpp>
#include <cordon/query/query_plan.hpp>
#include <cordon/verify/prove.hpp>

#undef slots
#undef signals
#undef emit
#undef foreach

#include "../holds.hpp"

namespace detail_macros_of_others_test {

TEST_CASE("headers: words that Qt defines as macros are no names in them") {
  HOLDS(cordon::unveil::compile(cordon::policy_of({cordon::dsl::can_read("/srv")})).rules.places.size() == 1);
}

} // namespace detail_macros_of_others_test
