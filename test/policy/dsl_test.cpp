// SPDX-License-Identifier: BSL-1.0
#include "../holds.hpp"

#include <cordon.hpp>
#include <cordon/notation/literals.hpp>

namespace policy_dsl_test {

using namespace cordon;
using namespace cordon::dsl;
using namespace cordon::literals;

namespace {

constexpr policy p = {policy_of({can_write("/srv/app"), can_run("/usr"), hidden("/srv/app/.git"), can_read("/etc"),
                                 grant("/run/x.sock", right::connect)})};

constexpr policy denied = policy_of({cannot_connect("a.org")});

constexpr policy all =
    policy_of({can_run("/usr"), can_connect("*.example.com:443"), can_connect("example.org"),
               cannot_connect("gist.example.com"), can_listen("8000-8080"), can_listen("8081"), can_use_loopback(),
               can_use_own_sockets(), can_use_socket("/run/x.sock"), can_use(ability::trace), can_use(ability::clock),
               cannot_call("memfd_create"), passes("LC_*"), sets("A", "x"), can_start("git")});

} // namespace

TEST_CASE("dsl: each verb is its set of rights") {
  HOLDS(p.files().lookup("/usr/bin/cc") == verb::run.bits());
  HOLDS(p.files().lookup("/srv/app/a") == verb::write.bits());
  HOLDS(p.files().lookup("/srv/app/.git/config") == 0);
  HOLDS(p.files().lookup("/etc/hosts") == verb::read.bits());
  HOLDS(p.files().lookup("/run/x.sock") == rights(right::connect).bits());
  HOLDS(p.files().lookup("/home") == 0);
}

TEST_CASE("dsl: the order of clauses does not count") {
  HOLDS(policy_of({can_read("/a"), can_write("/a/b")}) == policy_of({can_write("/a/b"), can_read("/a")}));
}

TEST_CASE("dsl: the workspace is the same as the files") { HOLDS(p.workspace() == p.files()); }

TEST_CASE("dsl: an axis that no clause names allows nothing") {
  HOLDS(p.level == level::process_exec);
  HOLDS(p.hosts().is_none());
  HOLDS(p.sockets().empty());
  HOLDS(p.environment().empty());
  HOLDS(p.abilities.empty());
  HOLDS(p.profile == profile::worktree);
  HOLDS(p.fallback == fallback::enforce);
  HOLDS(policy_of({}).files().empty());
}

TEST_CASE("dsl: processes may be started, and may make every call of the baseline") {
  HOLDS(p.is_any<axis_id::capabilities>());
  HOLDS(p.is_any<axis_id::calls>());
  HOLDS(p.is_any<axis_id::executables>());
  HOLDS(p.interpreters);
}

TEST_CASE("dsl: hosts, sockets, variables, programs, calls and abilities") {
  HOLDS(all ==
        "profile worktree\nlevel network\nrun /usr\nworkspace run /usr\nconnect example.org "
        "*.example.com:443\nrefuse gist.example.com\nsockets own\nlisten 8000-8081\nloopback yes\nunix /run/x.sock\n"
        "abilities clock trace\ndeny memfd_create\npass LC_*\nset A=x\nexecutables git\n"_policy);
  HOLDS(denied.hosts().is_none());
  HOLDS(policy_of({cannot_connect("a.org")}).level == level::process_exec);
  HOLDS(policy_of({can_use(ability::spawn)}).capabilities().size() == 1);
  HOLDS(within<all, all>());
}

} // namespace policy_dsl_test
