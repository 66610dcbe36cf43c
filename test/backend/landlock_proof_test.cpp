// SPDX-License-Identifier: BSL-1.0
#include "effort.hpp"
#include "landlock_proof.hpp"
#include "plain_policy.hpp"

#include <cordon.hpp>
#include <cordon/policy/heap.hpp>

#include <doctest/doctest.h>

#include <tuple>

namespace backend_landlock_proof_test {

using namespace cordon;
using namespace cordon::dsl;
using landlock_proof::fault;

namespace {

const int samples = effort(10'000);

using small = basic_policy<fixed_storage<80, 800>>;

/// A policy with random files that accepts any target.
small random_policy(dice& d) {
  small p = plain::made<small>(plain::random(d));
  p.profile = profile::worktree;
  p.fallback = fallback::warn;
  return p;
}

policy accepting(policy p) {
  p.fallback = fallback::warn;
  return p;
}
policy only(std::initializer_list<clause> clauses) { return accepting(policy_of(clauses)); }

} // namespace

TEST_CASE("landlock: rules and policy agree but for the gaps, under every ABI") {
  const policy some[]{
      only({}),
      accepting(unconfined(widening::all_axes{})),
      only({can_write("/")}),
      only({can_run("/usr"), can_write("/srv/job"), can_read("/srv/job/.git"), hidden("/srv/key")}),
      only({can_write("/a"), can_read("/a/b/c/d"), can_write("/a/b/c/d/e"), hidden("/a/b/x")}),
      only({can_read("/a"), can_write("/a/b"), hidden("/a/b/c"), can_run("/a/b/c/d")}),
      only({can_write("/"), hidden("/s"), hidden("/s/t/u"), can_read("/s/t/u/v")}),
      only({grant("/x", right::run), grant("/y", right::create), grant("/z", right::connect)}),
      only({grant("/", right::read | right::write), grant("/s", right::write), grant("/d/h", right::read)})};
  for (const policy& p : some)
    for (const int abi : {-1, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12}) {
      CAPTURE(abi);
      CHECK(fault(p, abi) == "");
    }
}

TEST_CASE("landlock: rules and policy agree for random policies") {
  for (int seed = 0; seed < samples; ++seed) {
    dice d(static_cast<std::uint64_t>(seed));
    const small p = random_policy(d);
    CAPTURE(seed);
    REQUIRE(fault(p, static_cast<int>(d.below(12))) == "");
  }
}

TEST_CASE("landlock: a stricter policy never permits more") {
  int pairs = 0;
  for (int seed = 0; seed < samples; ++seed) {
    dice d(static_cast<std::uint64_t>(seed));
    const small b = random_policy(d), a = random_policy(d) & b;
    const int abi = 1 + static_cast<int>(d.below(10));
    const auto x = landlock::compile(a, {abi}), y = landlock::compile(b, {abi});
    bool monotone = true;
    for (const auto& places : {verifying::places_of(a, x.rules), verifying::places_of(b, y.rules)})
      for (const std::string& place : places)
        for (unsigned i = 0; i < right_names.size(); ++i) {
          const bool less = landlock::permits(x.rules, static_cast<right>(i), place);
          const bool more = landlock::permits(y.rules, static_cast<right>(i), place);
          monotone = monotone && (more || !less);
          pairs += more && !less;
        }
    CAPTURE(seed);
    REQUIRE(monotone);
  }
  CHECK(pairs > samples);
}

TEST_CASE("landlock: a policy gives the same rules in any storage") {
  for (int seed = 0; seed < samples / 10; ++seed) {
    dice d(static_cast<std::uint64_t>(seed));
    const small p = random_policy(d);
    loaded_policy loaded;
    REQUIRE(copy(p, loaded).code == diagnostic_code::ok);
    const auto x = landlock::compile(p, {7}), again = landlock::compile(p, {7});
    const auto y = landlock::compile(loaded, {7});
    const auto same = [](const auto& r, const auto& s) {
      return r.abi == s.abi && r.view(r.grants) == s.view(s.grants) && r.view(r.siblings) == s.view(s.siblings) &&
             r.view(r.except) == s.view(s.except);
    };
    CAPTURE(seed);
    REQUIRE(same(x.rules, again.rules));
    REQUIRE(same(x.rules, y.rules));
    REQUIRE(x.gaps.size() == y.gaps.size());
  }
}

} // namespace backend_landlock_proof_test
