// SPDX-License-Identifier: BSL-1.0
/// Runs: their input, their output, and how they end.
#include "by_each.hpp"
#include "launching.hpp"
#include "running.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <fcntl.h>
#include <fstream>
#include <poll.h>
#include <stdexcept>
#include <sys/stat.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

namespace linux_run_test {

using namespace cordon;
using namespace runs;

namespace {

constexpr std::uint64_t ms = 1'000'000;

std::uint64_t now() { return static_cast<std::uint64_t>(std::chrono::steady_clock::now().time_since_epoch().count()); }

format::document limited(const place& s, limit l, std::uint64_t value) {
  format::document d = s.document();
  d.limits.set(l, value);
  return d;
}

} // namespace

TEST_SUITE("run") {

  TEST_CASE("run: stdout and stderr are captured separately, with the exit code") {
    const place s;
    by_each([&](launcher_id by) {
      const report r = run(under(by, s.shell("echo out; echo err >&2; exit 7")));
      CHECK(r.ended.why == "");
      CHECK(r.ended.how == ending::exited);
      CHECK(r.ended.number == 7);
      CHECK(r.output.text() == "out\n");
      CHECK(r.error.text() == "err\n");
      CHECK(r.ended.output_bytes == 8);
      CHECK(r.ended.wall > 0);
      CHECK(r.ended.memory > 0);
    });
  }

  TEST_CASE("run: RUSTC_WRAPPER is cleared, unless the policy sets it") {
    const place s;
    format::document d = s.document();
    d.environment.emplace();
    d.environment->pass = std::vector<std::string>{"RUSTC_WRAPPER", "PATH"};
    run_request r = s.shell("echo ${RUSTC_WRAPPER-none}", d);
    r.environment = std::vector<std::string>{"PATH=/usr/bin:/bin", "RUSTC_WRAPPER=sccache"};
    const report told = run(r);
    CHECK(told.output.text() == "\n");
    CHECK(std::count(told.added_environment.begin(), told.added_environment.end(), "RUSTC_WRAPPER") == 1);
    d.environment->set.insert_or_assign("RUSTC_WRAPPER", "mine");
    r.policy = format::lower_lexically(d, {});
    CHECK(run(r).output.text() == "mine\n");
  }

  TEST_CASE("run: a run removes the temporary directories of killed launchers") {
    const place s;
    const std::string temp = s.at("temp"), left = temp + "/cordon-run-AAAAAA";
    format::document d = s.document();
    d.files->push_back({std::string(run_temp), verb::write});
    ::setenv("TMPDIR", temp.c_str(), 1);
    by_each([&](launcher_id by) {
      std::filesystem::create_directories(left + "/more");
      const timespec long_ago[2]{{1, 0}, {1, 0}};
      ::utimensat(AT_FDCWD, left.c_str(), long_ago, 0);
      CHECK(run(under(by, s.shell("test -d \"$TMPDIR\" && echo \"$TMPDIR\"", d))).output.text().starts_with(temp));
      CHECK(std::filesystem::is_empty(temp));
    });
    ::unsetenv("TMPDIR");
  }

  TEST_CASE("run: streams that the caller has closed are closed in the program") {
    const place s;
    by_each([&](launcher_id by) {
      run_request r = under(
          by, s.shell("dd count=1 of=/dev/null 2>/dev/null && exit 1; echo x && exit 2; echo x >&2 && exit 3; exit 7"));
      r.in = {};
      r.keep.reset();
      CHECK(launching::apart([&] {
              for (const int fd : {0, 1, 2}) ::close(fd);
              const report told = run(r);
              for (const int fd : {0, 1, 2})
                if (::fcntl(fd, F_GETFD) >= 0) return 4;
              return told.ended.how == ending::exited ? told.ended.number : 5;
            }) == 7);
    });
  }

  TEST_CASE("run: the program reads the given input") {
    const place s;
    by_each([&](launcher_id by) {
      run_request r = under(by, s.shell("cat"));
      CHECK(run(r).output.text() == "");
      r.in = input::of("");
      CHECK(run(r).output.text() == "");
      // More than a pipe holds, returned through another pipe.
      std::string much;
      for (int i = 0; i < 40'000; ++i) much += "line " + std::to_string(i) + "\n";
      r.in = input::of(much);
      CHECK(run(r).output.text() == much);
      s.file("in", "of a file");
      r.in = input::file(s.at("in"));
      CHECK(run(r).output.text() == "of a file");
      r.in = input::file(s.at("nothing"));
      CHECK(run(r).ended.how == ending::refused);
      r.in = input::file(s.top.string());
      CHECK(run(r).ended.how == ending::refused);
      // A program that reads nothing does not block the run.
      r = under(by, s.shell("exit 3"));
      r.in = input::of(much);
      CHECK(run(r).ended.number == 3);
    });
  }

  TEST_CASE("run: on_output gets all output in order, however little is kept") {
    const place s;
    run_request r = s.shell("i=0; while [ $i -lt 2000 ]; do echo line $i; i=$((i+1)); done; echo end >&2");
    std::string heard, errors;
    r.on_output = [&](stream which, std::string_view piece) { (which == stream::output ? heard : errors) += piece; };
    r.keep = captured_size{10, 5};
    const report told = run(r);
    CHECK(heard.size() == told.output.written());
    CHECK(errors == "end\n");
    CHECK(told.output.head() == heard.substr(0, 10));
    CHECK(told.output.tail() == heard.substr(heard.size() - 5));
  }

  TEST_CASE("run: an exception from on_output ends the run") {
    const place s;
    run_request r = s.shell("echo x; sleep 100; : > late");
    r.on_output = [](stream, std::string_view) { throw std::runtime_error("enough"); };
    CHECK_THROWS_WITH((void)run(r), "enough");
    CHECK(!std::filesystem::exists(s.top / "late"));
  }

  TEST_CASE("run: the timeout ends all processes, also one in its own session that holds the pipes") {
    const place s;
    by_each([&](launcher_id by) {
      format::document d = limited(s, limit::timeout, 300 * ms);
      const std::uint64_t before = now();
      const report r = run(under(by, s.shell("echo first; setsid sh -c '" + std::string(lasting) + "' & wait", d)));
      CHECK(r.ended.how == ending::timed_out);
      CHECK(now() - before < 10'000 * ms);
      CHECK(r.output.text() == "first\n");
      CHECK(!is_alive(s));
    });
  }

  TEST_CASE("run: when the program ends, its descendants end, and the report comes at once") {
    const place s;
    by_each([&](launcher_id by) {
      const std::uint64_t before = now();
      const report r = run(under(by, s.shell("sleep 60 & echo done")));
      CHECK(r.ended.how == ending::exited);
      CHECK(now() - before < 10'000 * ms);
      CHECK(r.output.text() == "done\n");
    });
  }

  TEST_CASE("run: the output limit ends the program while it runs") {
    const place s;
    by_each([&](launcher_id by) {
      constexpr std::uint64_t most = 1 << 20;
      format::document d = limited(s, limit::output, most);
      run_request q = under(by, s.shell("exec yes", d));
      q.keep = captured_size{100, 50};
      const report r = run(q);
      CHECK(r.ended.how == ending::output_quota);
      CHECK(r.output.written() == most);
      CHECK(r.output.head().substr(0, 4) == "y\ny\n");
      CHECK(r.output.tail().size() == 50);
      CHECK(r.output.left_out() == most - 150);
    });
  }

  TEST_CASE("run: the CPU time limit ends the program") {
    const place s;
    // A program that does not end by itself, for a kernel that counts the whole tree and for one that does not.
    const format::document d = limited(s, limit::cpu, 1'000 * ms);
    const report r = run(s.shell("while :; do :; done", d));
    CHECK(r.ended.how == ending::cpu_limit);
    bool told = false;
    for (const stated_limit& l : r.limits)
      told |= l.which == limit::cpu && (l.grade == "enforced" || l.grade == "best_effort");
    CHECK(told);
  }

  TEST_CASE("run: the CPU time limit counts all processes of a control group") {
    const place s;
    by_each([&](launcher_id by) {
      constexpr std::uint64_t most = 1'000 * ms;
      const report r = run(under(
          by, s.shell("for i in 1 2 3 4 5 6; do while :; do :; done & done; wait", limited(s, limit::cpu, most))));
      if (r.limits.front().grade != "enforced") {
        MESSAGE("skipped: a control group that counts processor time");
        return;
      }
      CHECK(r.ended.how == ending::cpu_limit);
      CHECK(r.ended.cpu >= most);
      CHECK(r.ended.cpu < most + most / 5);
    });
  }

  TEST_CASE("run: the memory limit counts all processes of a control group") {
    const place s;
    by_each([&](launcher_id by) {
      // The second process uses half of the limit, and the program needs more than the rest.
      const report r =
          run(under(by, s.shell("(head -c 40m /dev/zero | { tail -c 40m; sleep 9; }) & sleep 0.3; exec tail < "
                                "/dev/zero",
                                limited(s, limit::memory, 64 << 20))));
      if (r.limits.front().grade != "enforced") {
        MESSAGE("skipped: a control group that holds memory");
        return;
      }
      CHECK(r.ended.how == ending::memory_limit);
      CHECK(r.ended.number == SIGKILL);
      CHECK(exit_status(r.ended.how, r.ended.number) == 128 + SIGKILL);
    });
  }

  TEST_CASE("run: another child of the caller is neither ended nor reaped") {
    const place s;
    const pid_t other = ::fork();
    if (other == 0) {
      ::pause();
      ::_exit(0);
    }
    by_each(
        [&](launcher_id by) { CHECK(run(under(by, s.shell("setsid sleep 3 & exit 0"))).ended.how == ending::exited); });
    CHECK(::kill(other, 0) == 0);
    ::kill(other, SIGKILL);
    int status = 0;
    CHECK(::waitpid(other, &status, 0) == other);
    CHECK(WTERMSIG(status) == SIGKILL);
    CHECK(::waitpid(-1, nullptr, WNOHANG) == -1); // no zombie, no orphan
  }

  TEST_CASE("run: a caller with its own event loop waits on the descriptor") {
    const place s;
    by_each([&](launcher_id by) {
      process_run program(under(by, s.shell("sleep 0.1; echo late")));
      REQUIRE(program.descriptor() >= 0);
      int turns = 0;
      for (pollfd p{program.descriptor(), POLLIN, 0}; !program.advance(); ++turns) REQUIRE(::poll(&p, 1, 5000) == 1);
      CHECK(turns < 20); // one for each event
      CHECK(program.take().output.text() == "late\n");
    });
  }

  TEST_CASE("run: cancel ends the program and its descendants") {
    const place s;
    by_each([&](launcher_id by) {
      process_run program(under(by, s.shell("echo x; " + std::string(lasting))));
      begin(s);
      program.cancel();
      const report r = program.wait();
      CHECK(r.ended.how == ending::interrupted);
      CHECK(r.output.text() == "x\n");
      CHECK(!is_alive(s));
    });
  }

  TEST_CASE("run: destroying the run ends the program and its descendants") {
    const place s;
    {
      const process_run program(s.shell(std::string(lasting)));
      begin(s);
    }
    CHECK(!is_alive(s));
  }

  TEST_CASE("run: a gateway port is refused") {
    const place s;
    run_request r = s.shell("true");
    r.gateway_port = 3128;
    CHECK(run(r).ended.how == ending::refused);
  }

  TEST_CASE("run: private tmpfs mounts are limited in size, and noexec unless the workspace may run") {
    const place s;
    const std::string words =
        "for d in /tmp /dev/shm; do stat -f -c %b,%S $d; cp /bin/true $d/t && $d/t && echo runs; done";
    format::document d = s.document();
    d.limits.set(limit::memory, 100 << 20);
    d.files->back().allowed = verb::write - right::run;
    by_each({launcher_id::namespaces, launcher_id::bubblewrap}, [&](launcher_id by) {
      CHECK(run(under(by, s.shell(words, d))).output.text() == "25600,4096\n25600,4096\n");
      CHECK(run(under(by, s.shell(words))).output.text() == "262144,4096\nruns\n262144,4096\nruns\n");
    });
  }

  TEST_CASE("run: root cannot read the kernel's root-only files in /proc") {
    const place s;
    const std::string words = "cd /proc && for f in kpage* pagetypeinfo slabinfo timer_list vmallocinfo; do"
                              " head -c 8 $f; done 2>/dev/null | wc -c";
    by_each({launcher_id::namespaces, launcher_id::bubblewrap},
            [&](launcher_id by) { CHECK(run(under(by, s.shell(words))).output.text() == "0\n"); });
  }

  TEST_CASE("run: a policy may deny execve or execveat, but not both") {
    const place s;
    format::document d = s.document();
    by_each([&](launcher_id by) {
      for (const char* denied : {"execve", "execveat"}) {
        d.denied_calls = {denied};
        const report r = run(under(by, s.shell("echo begun; exec /bin/true", d)));
        CHECK(r.output.text() == "begun\n");
        CHECK((r.ended.number == 0) == (d.denied_calls.front() == "execveat"));
      }
      d.denied_calls = {"execve", "execveat"};
      const report none = run(under(by, s.shell("echo begun", d)));
      CHECK(none.ended.how == ending::refused);
      CHECK(none.ended.why.starts_with("the policy denies execveat and execve"));
    });
  }

  TEST_CASE("run: a refused start reports its reason, and nothing runs") {
    const place s;
    run_request r = s.shell("exit 0");
    r.argv = {"/usr/bin/no-such-program"};
    CHECK(run(r).ended.how == ending::not_found);
    process_run none(r);
    CHECK(none.descriptor() == -1);
    CHECK(none.advance());
    r = s.shell("exit 0");
    r.directory = "/var";
    const report told = run(r);
    CHECK(told.ended.how == ending::refused);
    CHECK(told.ended.why.find("outside every granted place") != std::string::npos);
  }
} // TEST_SUITE

} // namespace linux_run_test
