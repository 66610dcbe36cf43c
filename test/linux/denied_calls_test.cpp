// SPDX-License-Identifier: BSL-1.0
/// Calls that the filter refuses, as listed in the report of a run.
#include "by_each.hpp"
#include "running.hpp"

#include <doctest/doctest.h>

#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <thread>

namespace linux_denied_calls_test {

using namespace cordon;
using namespace runs;

namespace {

std::uint64_t times(const report& r, std::string_view call) {
  std::uint64_t n = 0;
  for (const denial& d : r.denials)
    if (d.seen == denial::source::seccomp && d.what == call) n += d.times;
  return n;
}

constexpr std::initializer_list<launcher_id> all_three{launcher_id::namespaces, launcher_id::landlock,
                                                       launcher_id::bubblewrap};

/// The result of the body in a child of this process.
template <class F> int in_a_child(F&& body) {
  const pid_t child = ::fork();
  if (child == 0) ::_exit(body());
  int status = -1;
  ::waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128;
}

/// A watched filter that allows every call.
bool watch_everything() {
  sock_filter pass[]{{0x06, 0, 0, SECCOMP_RET_ALLOW}};
  const sock_fprog program{1, pass};
  return ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
         ::syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_NEW_LISTENER, &program) >= 0;
}

} // namespace

TEST_SUITE("denied calls") {

  TEST_CASE("denied_calls: each denied call is counted, and the program gets the usual error") {
    const place s;
    by_each(all_three, [&](launcher_id by) {
      const report r =
          run(under(by, s.shell("for i in 1 2 3; do unshare -U true; done; /usr/sbin/chroot / true; true")));
      CHECK(r.ended.why == "");
      CHECK(r.ended.number == 0);
      CHECK(r.sees_calls);
      CHECK(times(r, "unshare") == 3);
      CHECK(times(r, "chroot") == 1);
      const std::string said = r.error.text();
      CHECK(said.find("unshare: unshare failed: Operation not permitted") != said.npos);
      CHECK(r.denials.size() == 2 + 4); // including the lines with these messages
    });
  }

  TEST_CASE("denied_calls: a run without a denied call reports no calls") {
    const place s;
    by_each(all_three, [&](launcher_id by) {
      const report r = run(under(by, s.shell("ls > /dev/null; cat < /dev/null | wc -c")));
      CHECK(r.ended.number == 0);
      CHECK(r.sees_calls);
      CHECK(r.denials.empty());
    });
  }

  TEST_CASE("denied_calls: four processes that repeat a denied call forever are stopped by the timeout") {
    const place s;
    format::document d = s.document();
    d.limits.set(limit::timeout, 300'000'000);
    by_each(all_three, [&](launcher_id by) {
      const auto before = std::chrono::steady_clock::now();
      const report r = run(
          under(by, s.shell("for i in 1 2 3 4; do (while :; do unshare -U true 2> /dev/null; done) & done; wait", d)));
      CHECK(r.ended.how == ending::timed_out);
      CHECK(times(r, "unshare") > 4);
      CHECK(std::chrono::steady_clock::now() - before < std::chrono::seconds(10));
    });
  }

  TEST_CASE("denied_calls: a denied call waits until the caller advances the run, then fails as usual") {
    const place s;
    process_run r(under(launcher_id::landlock, s.shell("unshare -U true; echo $? > after")));
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    CHECK(!std::filesystem::exists(s.top / "after"));
    const report told = r.wait();
    CHECK(times(told, "unshare") == 1);
    CHECK(std::filesystem::exists(s.top / "after"));
  }

  TEST_CASE("denied_calls: a policy that denies sendmsg is enforced, but denied calls are not counted") {
    const place s;
    format::document d = s.document();
    d.denied_calls.emplace_back("sendmsg");
    const report r = run(s.shell("unshare -U true", d));
    CHECK(r.ended.number == 1);
    CHECK(!r.sees_calls);
    CHECK(times(r, "unshare") == 0);
    CHECK(r.error.text().find("Operation not permitted") != std::string::npos);
  }

  TEST_CASE("denied_calls: under another process's notification filter, calls are denied but not counted") {
    const place s;
    const int got = in_a_child([&] {
      if (!watch_everything()) return 77;
      const report r = run(under(launcher_id::landlock, s.shell("unshare -U true")));
      if (r.ended.how != ending::exited) return 2;
      if (r.sees_calls || times(r, "unshare") != 0) return 3;
      return r.ended.number == 1 ? 0 : 4;
    });
    CHECK(got == 0);
  }
}

} // namespace linux_denied_calls_test
