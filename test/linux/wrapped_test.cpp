// SPDX-License-Identifier: BSL-1.0
/// Launches in namespaces that bwrap makes: what bwrap gets and what it does not pass on. A failure on either side of
/// it is reported at once, in words.
#include "isolated.hpp"

#include "../../shims/linux/files/memory_file.hpp"

#include <poll.h>
#include <sys/syscall.h>

#include <chrono>
#include <csignal>
#include <thread>

namespace linux_wrapped_test {

using namespace cordon;
using namespace launching;
using viewing::work;

namespace {

/// A launch whose parts differ from the planned ones.
struct broken {
  explicit broken(const isolated& run) : by(*run.how.isolated->by), own(*run.how.isolated), how(run.how) {
    own.by = &by;
    how.isolated = &own;
  }
  broken(const broken&) = delete;
  broken& operator=(const broken&) = delete;

  wrapper by;
  isolation own;
  confinement how;
};

} // namespace

TEST_SUITE("wrapped") {

  TEST_CASE("wrapped: bwrap's command line and environment are separate from the program's") {
    isolated run({}, {.by = enclosure::bubblewrap});
    if (run.is_missing()) return;
    command what = run.what("echo secret > /dev/null; sleep 60");
    static char variable[] = "LD_PRELOAD=/tmp/of/the/program", *environment[]{variable, nullptr};
    what.envp = environment;
    launched child = launch(what, run.how);
    REQUIRE(child);
    const std::string folder = "/proc/" + std::to_string(child.pid);
    CHECK(viewing::content((folder + "/comm").c_str()) == "bwrap\n");
    CHECK(viewing::content((folder + "/environ").c_str()).empty());
    const std::string words = viewing::content((folder + "/cmdline").c_str());
    CHECK(words.starts_with(std::string("bwrap\0--args\0", 13)));
    for (const char* private_word : {"secret", "sleep", "/usr"}) CHECK(words.find(private_word) == words.npos);
    bring_down(child);
    static char own[] = "ONLY=this", path[] = "PATH=/usr/bin", *few[]{own, path, nullptr};
    what = run.what("env | sort | grep -v -e ^_ -e ^PWD; ls /proc/self/fd | tr '\\n' ' '");
    what.envp = few;
    CHECK(start(what, run.how).said == "ONLY=this\nPATH=/usr/bin\n0 1 2 3 "); // 3: opened by ls itself
  }

  TEST_CASE("wrapped: the program gets its stdin, stdout, stderr and kept descriptors through bwrap") {
    isolated run({}, {.by = enclosure::bubblewrap});
    if (run.is_missing()) return;
    int in[2], out[2], error[2], kept[2];
    for (int* ends : {in, out, error, kept}) REQUIRE(::pipe2(ends, O_CLOEXEC) == 0);
    command what = run.what("read -r x; echo out:$x; echo error:$x >&2; exec python3 -I -c \"import os, sys; "
                            "os.write(int(sys.argv[1]), b'kept:word\\n')\" $1");
    const std::string number = std::to_string(kept[1]);
    std::vector<char*> argv;
    for (char* const* word = what.argv; *word != nullptr; ++word) argv.push_back(*word);
    char name[] = "sh";
    argv.push_back(name), argv.push_back(const_cast<char*>(number.c_str())), argv.push_back(nullptr);
    what.argv = argv.data();
    const int keep[]{kept[1]};
    what.stdio = {in[0], out[1], error[1]};
    what.keep = keep;
    CHECK(::write(in[1], "word\n", 5) == 5);
    launched child = launch(what, run.how);
    REQUIRE(child);
    CHECK(reap(child) == 0);
    const auto said = [](int from) {
      ::fcntl(from, F_SETFL, O_NONBLOCK);
      char buffer[64];
      const ssize_t size = ::read(from, buffer, sizeof buffer);
      return std::string(buffer, static_cast<std::size_t>(std::max<ssize_t>(size, 0)));
    };
    CHECK(said(out[0]) == "out:word\n");
    CHECK(said(error[0]) == "error:word\n");
    CHECK(said(kept[0]) == "kept:word\n");
    what.stdio = {-1, out[1], out[1]};
    what.keep = {};
    CHECK(start(what, run.how).code != -1);
    for (const int* ends : {in, out, error, kept}) ::close(ends[0]), ::close(ends[1]);
  }

  TEST_CASE("wrapped: the init process forwards signals to the program, and dies with bwrap") {
    isolated run({}, {.by = enclosure::bubblewrap});
    if (run.is_missing()) return;
    launched child = launch(run.what("trap 'exit 7' TERM; while :; do sleep 0.01; done"), run.how);
    REQUIRE(child);
    std::this_thread::sleep_for(std::chrono::milliseconds(200));
    ::syscall(SYS_pidfd_send_signal, child.init_pidfd, SIGTERM, nullptr, 0);
    CHECK(reap(child) == 7);
    child = launch(run.what("trap '' TERM; sleep 60"), run.how);
    REQUIRE(child);
    const int first = ::fcntl(child.init_pidfd, F_DUPFD_CLOEXEC, 3);
    ::syscall(SYS_pidfd_send_signal, child.pidfd, SIGKILL, nullptr, 0);
    reap(child);
    pollfd gone{first, POLLIN, 0};
    CHECK(::poll(&gone, 1, 1000) == 1);
    ::close(first);
  }

  TEST_CASE("wrapped: a failure before or after bwrap is reported at once, and leaves no process or descriptor") {
    const work w;
    isolated run({{w.at("job"), verb::write}}, {.by = enclosure::bubblewrap});
    if (run.is_missing()) return;
    const auto fails = [&](linux_shim::launch_stage at, int error, const char* words, auto&& change) {
      broken b(run);
      change(b);
      const auto before = std::chrono::steady_clock::now();
      const ended e = start(run.what("true"), b.how);
      CHECK(std::chrono::steady_clock::now() - before < std::chrono::seconds(10)); // it would wait for ever
      CAPTURE(name(at));
      CAPTURE(name(e.why.at));
      CAPTURE(std::string(e.why.words.data()));
      CHECK(e.why.at == at);
      CHECK(e.why.error == error);
      CHECK(std::string_view(e.why.words.data()).find(words) != std::string_view::npos);
      CHECK(e.code == -1);
    };
    const descriptor nonsense = memory_file(std::string("--no-such-option\0", 17), "a test");
    const descriptor elsewhere = memory_file(std::string("--bind\0/no/such\0/place\0", 23), "a test");
    const descriptor open_root = memory_file(std::string("--unshare-user\0--unshare-pid\0--as-pid-1\0--dev-bind\0/\0/\0"
                                                         "--proc\0/proc\0",
                                                         69),
                                             "a test");
    const auto before = open_descriptors();
    using enum linux_shim::launch_stage;
    fails(bubblewrap, ECANCELED, "no-such-option", [&](broken& b) { b.by.arguments = nonsense.get(); });
    fails(bubblewrap, ECANCELED, "/no/such", [&](broken& b) { b.by.arguments = elsewhere.get(); });
    fails(bubblewrap, EBADF, "", [](broken& b) { b.by.program = 999; });
    fails(bubblewrap, ECANCELED, "ermission denied", [&](broken& b) { b.by.init_program = nonsense.get(); });
    fails(descriptors, EBADF, "", [](broken& b) { b.by.init_program = 998; });
    fails(view, EXDEV, "", [&](broken& b) { b.by.arguments = open_root.get(); });
    fails(rules, EINVAL, "", [](broken& b) { b.own.ruleset.scoped = ~0ULL; });
    fails(init, EACCES, "", [&](broken& b) { b.own.reaper = nonsense.get(); });
    fails(limits, EINVAL, "", [](broken& b) { b.how.limits[b.how.limit_count++] = {999, 0, 0}; });
    CHECK(open_descriptors() == before);
    CHECK(::waitpid(-1, nullptr, WNOHANG) == -1);
  }

  TEST_CASE("wrapped: without a working directory, the program starts at the root of the view") {
    isolated run({}, {.by = enclosure::bubblewrap});
    if (run.is_missing()) return;
    CHECK(apart([&] {
            std::filesystem::current_path("/usr"); // which the view has too
            return run.sh("pwd").said == "/\n" ? 0 : 1;
          }) == 0);
  }

  TEST_CASE("wrapped: the view shows the directory that was opened, even if another now has its name") {
    const work w;
    isolated run({{w.at("job"), verb::write}}, {.by = enclosure::bubblewrap});
    if (run.is_missing()) return;
    std::filesystem::rename(w.at("job"), w.at("other"));
    w.dir("job");
    CHECK(run.sh("cat " + w.at("job/file")).said == "inside");
  }

} // TEST_SUITE

} // namespace linux_wrapped_test
