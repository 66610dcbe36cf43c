// SPDX-License-Identifier: BSL-1.0
/// A program may have both `using namespace std` and `using namespace cordon`: the names of types in cordon are none of
/// the C++ library. `right` is: there it is a function, which the compiler ignores in `right::read`.
#include <cordon.hpp>
#include <cordon/backend/backends.hpp>
#include <cordon/host/host.hpp>
#include <cordon/notation/parse.hpp>
#include <cordon/policy/heap.hpp>
#include <cordon/query/explain.hpp>
#include <cordon/query/query_plan.hpp>
#include <cordon/run/report.hpp>
#include <cordon/run/run.hpp>
#include <cordon/run/stop.hpp>

#include "../holds.hpp"

#include <bitset>
#include <chrono>
#include <filesystem>
#include <functional>
#include <ios>
#include <memory>
#include <ranges>
#include <set>
#include <span>
#include <stop_token>
#include <string>
#include <system_error>
#include <variant>

namespace detail_names_of_std_test {

using namespace std;
using namespace cordon;

namespace {

template <class...> struct types {};

using algebra = types<policy, loaded_policy, basic_policy<fixed_storage<4, 64>>, diagnostic, diagnostic_code,
                      result<int>, policy_error, clause, entry, cordon::right, rights, profile, level, fallback,
                      syscalls, limit, limits, ability, abilities, axis, axis_id, preset, violation>;
using queries = types<verdict, ruling, host_verdict, query_result, feature_result, gap, gap_kind, gap_type,
                      plan<unveil::rules<heap>>, guard_finding, guard_code>;
using runs = types<run_request, run_identity, report, outcome, ending, progress, process_run, input, stream,
                   callback<void()>, captured_size, captured_output, selection, launcher_id, mechanism, reported_gap,
                   stated_limit, denial, refused, error, run_stop_token, run_stop_source, run_stop_callback>;

} // namespace

TEST_CASE("headers: names of types are none of namespace std") {
  HOLDS(!is_same_v<algebra, queries>);
  HOLDS(!is_same_v<queries, runs>);
  HOLDS((right::read | right::list) == verb::read);
}

} // namespace detail_names_of_std_test
