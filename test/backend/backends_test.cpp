// SPDX-License-Identifier: BSL-1.0
#include "../holds.hpp"
#include "../samples.hpp"

#include <cordon/backend/backends.hpp>
#include <cordon/gap/gap_text.hpp>
#include <cordon/policy/heap.hpp>

#include <algorithm>
#include <set>
#include <string>

namespace backend_backends_test {

using namespace cordon;

namespace {

/// Rules with one boundary path missing must not pass for the policy's, on every file backend; `verify` detects that.
template <class F> void each_plan(F&& f) {
  backends::each([&]<class Backend>() {
    for (const samples::sample& s : samples::all)
      for (const auto& t : Backend::targets) f.template operator()<Backend>(s, t, compile(s.policy, t.target));
    return true;
  });
}

} // namespace

TEST_CASE("backends: names and targets are unique") {
  std::set<std::string> names;
  backends::each([&]<class Backend>() {
    std::set<std::string> targets;
    for (const auto& t : Backend::targets) CHECK(targets.insert(std::string(t.name)).second);
    CHECK(!targets.empty());
    return names.insert(std::string(Backend::name)).second;
  });
  CHECK(names.size() == 10);
}

TEST_CASE("backends: every gap has a gap_type of its kind, and a text") {
  int gaps = 0;
  each_plan([&]<class Backend>(const samples::sample& s, const auto& t, const auto& made) {
    CAPTURE(std::string(s.name));
    CAPTURE(std::string(t.name));
    for (std::uint32_t i = 0; i < made.gaps.size(); ++i, ++gaps) {
      const gap g = made.gaps[i];
      CAPTURE(std::string(g.what));
      const auto is_it = [&](const gap_type& x) { return x.id == g.what && x.kind == g.kind; };
      CHECK(std::any_of(Backend::gap_types().begin(), Backend::gap_types().end(), is_it));
      CHECK(gap_text(g.what).size() > 20);
      if (Backend::name != on_linux::backend_name) // its gaps are those of its members
        CHECK(g.what.substr(0, g.what.find('.')) == Backend::name);
    }
  });
  CHECK(gaps > 100);
}

TEST_CASE("backends: gap types with one ID have one kind") {
  backends::each([&]<class Backend>() {
    for (const gap_type& a : Backend::gap_types())
      for (const gap_type& b : Backend::gap_types())
        if (a.id == b.id) CHECK(a.kind == b.kind);
    return true;
  });
}

TEST_CASE("backends: without a target, a policy is compiled for the default one") {
  loaded_policy p; // its plans are on the heap: twenty of the others do not fit on the stack of Windows
  REQUIRE(copy(samples::all[0].policy, p).code == diagnostic_code::ok);
  const auto same = [](const auto& made, const auto& stated) {
    CHECK(made.error == stated.error);
    CHECK(made.gaps.size() == stated.gaps.size());
  };
  same(on_linux::compile(p), on_linux::compile(p, on_linux::target{}));
  same(landlock::compile(p), landlock::compile(p, {}));
  same(seccomp::compile(p), seccomp::compile(p, {}));
  same(namespaces::compile(p), namespaces::compile(p, {}));
  same(bubblewrap::compile(p), bubblewrap::compile(p, {}));
  same(container::compile(p), container::compile(p, {}));
  same(seatbelt::compile(p), seatbelt::compile(p, {}));
  same(appcontainer::compile(p), appcontainer::compile(p, {}));
  same(unveil::compile(p), unveil::compile(p, {}));
  same(wasi::compile(p), wasi::compile(p, {}));
}

} // namespace backend_backends_test
