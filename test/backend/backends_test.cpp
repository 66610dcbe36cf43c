// SPDX-License-Identifier: BSL-1.0
#include "../holds.hpp"
#include "../samples.hpp"

#include <cordon/backend/backends.hpp>
#include <cordon/gap/gap_text.hpp>
#include <cordon/policy/heap.hpp>

#include <algorithm>
#include <set>
#include <string>

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

TEST_CASE("backends: names and targets are told apart") {
  std::set<std::string> names;
  backends::each([&]<class Backend>() {
    std::set<std::string> targets;
    for (const auto& t : Backend::targets) CHECK(targets.insert(std::string(t.name)).second);
    CHECK(!targets.empty());
    return names.insert(std::string(Backend::name)).second;
  });
  CHECK(names.size() == 10);
}

TEST_CASE("backends: every gap has a topic of its kind, and a sentence") {
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

TEST_CASE("backends: topics that share a name tell the same") {
  backends::each([&]<class Backend>() {
    for (const gap_type& a : Backend::gap_types())
      for (const gap_type& b : Backend::gap_types())
        if (a.id == b.id) CHECK(a.kind == b.kind);
    return true;
  });
}
