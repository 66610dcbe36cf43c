// SPDX-License-Identifier: BSL-1.0
#include <cordon/run/reported.hpp>

#include <doctest/doctest.h>

using namespace cordon;

namespace {

constexpr gap_type nothing_there{.id = "test.none",
                                 .kind = gap_kind::unenforced,
                                 .rights = {},
                                 .extent = gap_extent::beneath,
                                 .description = "nothing is enforced"};

} // namespace

TEST_CASE("reported: the ID of a gap has its subject behind a colon, if there is one") {
  CHECK(gap_id("landlock.proc", "") == "landlock.proc");
  CHECK(gap_id("files.later", "/srv/*.key") == "files.later:/srv/*.key");
}

TEST_CASE("reported: a gap has the text of its type, unless it has its own") {
  const reported_gap of_type = gap_of(nothing_there);
  CHECK(of_type.kind == gap_kind::unenforced);
  CHECK(of_type.id == "test.none");
  CHECK(of_type.why == "nothing is enforced");
  const reported_gap own = gap_of(nothing_there, "/srv", "the kernel is too old");
  CHECK(own.id == "test.none:/srv");
  CHECK(own.why == "the kernel is too old");
}

TEST_CASE("reported: the gaps left are unenforced and not accepted, in their order") {
  const std::vector<reported_gap> all{{gap_kind::unenforced, "a", ""},
                                      {gap_kind::tightened, "b", ""},
                                      {gap_kind::unenforced, "c:/x", ""},
                                      {gap_kind::unenforced, "d", ""}};
  CHECK(unaccepted_gaps(all, {}) == std::vector<std::string>{"a", "c:/x", "d"});
  CHECK(unaccepted_gaps(all, {"d", "c"}) == std::vector<std::string>{"a", "c:/x"});
  CHECK(unaccepted_gaps(all, {"a", "c:/x", "d"}).empty());
  CHECK(unaccepted_gaps({}, {"a"}).empty());
}
