// SPDX-License-Identifier: BSL-1.0
#include <cordon/format/document.hpp>

#include <doctest/doctest.h>

using namespace cordon;
using namespace cordon::format;

namespace {

/// A document with a value on every axis that a base may defer.
document full() {
  document d;
  d.level = level::process_exec;
  d.capabilities = std::vector<std::string>{"process.exec"};
  d.workspace.emplace();
  d.files.emplace();
  d.network.emplace();
  d.sockets.emplace();
  d.abilities = abilities();
  d.syscalls = syscalls::strict;
  d.environment.emplace();
  d.executables.emplace();
  d.interpreters = false;
  return d;
}

int axes_left(const document& d) {
  return d.level.has_value() + d.capabilities.has_value() + d.workspace.has_value() + d.files.has_value() +
         d.network.has_value() + d.sockets.has_value() + d.abilities.has_value() + d.syscalls.has_value() +
         d.environment.has_value() + d.executables.has_value() + d.interpreters.has_value();
}

} // namespace

TEST_CASE("document: says() returns true for the axes that say() marked, and no others") {
  document d;
  CHECK(!d.says(axis::profile));
  d.say(axis::profile);
  d.say(axis::fallback);
  CHECK(d.says(axis::profile));
  CHECK(d.says(axis::fallback));
  CHECK(!d.says(axis::files));
}

TEST_CASE("document: the workspace is writable with a write capability, or with capabilities any") {
  document d;
  CHECK(writes_workspace(d));
  d.capabilities.emplace();
  CHECK(!writes_workspace(d));
  d.capabilities->push_back("workspace.list");
  CHECK(!writes_workspace(d));
  d.capabilities->push_back("workspace.delete");
  CHECK(!writes_workspace(d));
  CHECK(removes_in_workspace(d));
  d.capabilities = std::vector<std::string>{"workspace.write_text"};
  CHECK(writes_workspace(d));
}

TEST_CASE("document: leave_out_what_is_said drops the named axes from a base, and no others") {
  const std::pair<axis, int> axes[]{{axis::level, 1},     {axis::capabilities, 1}, {axis::workspace, 1},
                                    {axis::files, 1},     {axis::hosts, 1},        {axis::sockets, 1},
                                    {axis::abilities, 1}, {axis::syscalls, 1},     {axis::environment, 1},
                                    {axis::guard, 2},     {axis::profile, 0},      {axis::limits, 0}};
  for (const auto& one : axes) {
    document base = full(), said;
    said.say(one.first);
    leave_out_what_is_said(base, said);
    CAPTURE(name(one.first));
    CHECK(axes_left(base) == 11 - one.second);
  }
  document base = full();
  leave_out_what_is_said(base, {});
  CHECK(axes_left(base) == 11);
}
