// SPDX-License-Identifier: BSL-1.0
/// A host of the headers: a constant ceiling, a policy from text, and the rules of one mechanism.
#include <cordon.hpp>
#include <cordon/backend/landlock.hpp>
#include <cordon/notation/literals.hpp>

namespace {

using namespace cordon::dsl;
using namespace cordon::literals;

constexpr cordon::policy ceiling = cordon::policy_of({can_run("/usr"), can_write("/srv"), hidden("/srv/.git")});
constexpr cordon::policy child = "level process_exec\nrun /usr\nwrite /srv/build\nnetwork none\n"_policy;
static_assert(cordon::narrow(ceiling, "/srv/build") <= ceiling);

} // namespace

int main(int argc, char**) {
  const cordon::policy chosen = argc > 1 ? ceiling : child; // at run time
  const auto plan = cordon::landlock::compile(chosen, {.abi = 7});
  const bool inside = cordon::landlock::permits(plan.rules, cordon::right::write, "/srv/build/a"),
             outside = cordon::landlock::permits(plan.rules, cordon::right::write, "/etc/passwd");
  return inside && !outside && (chosen & ceiling) <= ceiling ? 0 : 1;
}
