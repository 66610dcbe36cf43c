// SPDX-License-Identifier: BSL-1.0
#include <cordon/format/lower.hpp>
#include <cordon/policy/preset.hpp>
#include <cordon/query/query.hpp>
#include <cordon/run/builtin.hpp>

#include <doctest/doctest.h>

using namespace cordon;

TEST_CASE("builtin: the built-in policy grants the project and the system") {
  format::host_facts facts;
  facts.home = "/home/u";
  const loaded_policy p = format::lower_lexically(builtin_worktree({"/srv/job"}), facts);
  CHECK(p.profile == profile::worktree);
  CHECK(p.level == level::process_exec);
  CHECK(p.hosts().is_none());
  CHECK(process_may(p, right::write, "/srv/job/a").allowed());
  CHECK(host_tool_may(p, right::write, "/srv/job/a").allowed());
  CHECK(process_may(p, right::run, "/usr/bin/cc").allowed());
  CHECK_FALSE(process_may(p, right::write, "/usr/bin/cc").allowed());
  CHECK_FALSE(process_may(p, right::read, "/home/u/.ssh/id").allowed());
  CHECK_FALSE(process_may(p, right::read, "/home/u/.netrc").allowed());
  CHECK_FALSE(process_may(p, right::read, "/etc/shadow").allowed());
  CHECK(process_may(p, right::read, "/etc/ssh/ssh_config").allowed());
  CHECK_FALSE(process_may(p, right::read, "/etc/ssh/ssh_host_rsa_key").allowed());
  CHECK(has_variable(p, "PATH").allowed());
  CHECK(has_variable(p, "LC_ALL").allowed());
  CHECK_FALSE(has_variable(p, "GITHUB_TOKEN").allowed());
  CHECK_FALSE(has_variable(p, "LD_PRELOAD").allowed());
}

TEST_CASE("builtin: without a project, only the temporary directory is writable") {
  format::host_facts facts;
  facts.home = "/home/u";
  const loaded_policy with = format::lower_lexically(builtin_worktree({"/srv/job"}), facts),
                      p = format::lower_lexically(builtin_worktree({}), facts);
  CHECK(p <= with);
  CHECK(process_may(p, right::run, "/usr/bin/cc").allowed());
  CHECK(process_may(p, right::write, std::string(run_temp) + "/x").allowed());
  CHECK_FALSE(process_may(p, right::read, "/etc/shadow").allowed());
  CHECK_FALSE(process_may(p, right::read, "/srv/job/a").allowed());
  CHECK_FALSE(host_tool_may(p, right::read, "/usr/bin/cc").allowed());
  for (const char* place : {"/", "/x", "/etc/x", "/usr/x", "/srv/job/x", "/home/u/x"}) {
    CAPTURE(place);
    CHECK_FALSE(process_may(p, right::write, place).allowed());
    CHECK_FALSE(process_may(p, right::create, place).allowed());
    CHECK_FALSE(host_tool_may(p, right::write, place).allowed());
  }
}

TEST_CASE("builtin: a document replaces the axes that it names, also with any") {
  format::document base = builtin_worktree({"/srv/job"});
  format::document d;
  d.say(axis::files);
  format::leave_out_what_is_said(base, d);
  CHECK_FALSE(base.files.has_value());
  CHECK(base.workspace.has_value());
  CHECK(base.level == level::process_exec);
  REQUIRE(base.network);
  CHECK(base.network->allowed.view().empty());
}
