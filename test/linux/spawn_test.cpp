// SPDX-License-Identifier: BSL-1.0
#include "launching.hpp"

#include <boost/asio/io_context.hpp>
#include <boost/asio/read.hpp>
#include <boost/asio/readable_pipe.hpp>
#include <boost/process/v2/environment.hpp>
#include <boost/process/v2/impl/environment.ipp> // left out, and not inline, in the header-only mode of Boost 1.81
#include <boost/process/v2/start_dir.hpp>
#include <boost/process/v2/stdio.hpp>
#include <cordon/format/lower.hpp>
#include <cordon/linux/prepare.hpp>
#include <cordon/linux/spawn.hpp>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <thread>

namespace linux_spawn_test {

namespace {

namespace asio = boost::asio;
namespace v2 = boost::process::v2;
using launching::confinement;
using v2::error_code;
using launcher = v2::posix::default_launcher;
using path = v2::filesystem::path;
using argv = const char* const*;

struct ready {
  launching::confinement how{};
  const char* const* variables = nullptr;
  const launching::confinement& confinement() const { return how; }
  const char* const* environment() const { return variables; }
};

struct failing {
  error_code what;
  int at_errno = 0;
  error_code on_exec_setup(launcher&, const path&, argv) {
    errno = at_errno;
    return what;
  }
};

static_assert(cordon::prepared_policy<cordon::prepared>);

error_code number(int e) { return {e, boost::system::system_category()}; }

/// Spawns. Returns: the exit code and the output on stdout.
template <class... Inits>
std::pair<int, std::string> output(const ready& policy, const char* script, Inits&&... inits) {
  asio::io_context context;
  asio::readable_pipe pipe(context);
  v2::basic_process<asio::io_context::executor_type> child(context);
  {
    v2::process_stdio io{{}, pipe, {}};
    child = cordon::spawn(context, policy, "/bin/sh", {"-c", script}, io, inits...);
  }
  std::string said;
  error_code ec;
  asio::read(pipe, asio::dynamic_buffer(said), ec);
  return {child.wait(), said};
}

} // namespace

TEST_SUITE("spawn") {

  TEST_CASE("spawn: it takes a context or an executor, and arguments as a list or a range") {
    asio::io_context context;
    CHECK(cordon::spawn(context, ready{}, "/bin/true", {}).wait() == 0);
    CHECK(cordon::spawn(context.get_executor(), ready{}, "/bin/sh", {"-c", "exit 3"}).wait() == 3);
    const std::vector<std::string> args{"-c", "exit $#", "0", "a", "b"};
    CHECK(cordon::spawn(asio::any_io_executor(context.get_executor()), ready{}, "/bin/sh", args).wait() == 2);
  }

  TEST_CASE("spawn: a NUL byte in a name or an argument is refused") {
    asio::io_context context;
    const std::string nul("-c\0", 3);
    error_code ec;
    CHECK(cordon::spawn(context, ec, ready{}, "/bin/sh", std::vector<std::string>{"-c", "exit 0"}).wait() == 0);
    CHECK(ec == error_code());
    (void)cordon::spawn(context, ec, ready{}, "/bin/sh", std::vector<std::string>{nul, "exit 0"});
    CHECK(ec == number(EINVAL));
    (void)cordon::spawn(context, ec, ready{}, "/bin/sh" + nul, {});
    CHECK(ec == number(EINVAL));
  }

  TEST_CASE("spawn: in namespaces, wait, request_exit and terminate reach the program") {
    cordon::format::document d;
    d.level = cordon::level::process_exec;
    d.presets.emplace();
    d.files.emplace();
    for (const char* system : {"/usr", "/lib", "/lib64", "/bin"})
      if (std::filesystem::exists(system) && !std::filesystem::is_symlink(system))
        d.files->push_back({system, cordon::verb::run});
    const auto isolated =
        cordon::prepare(cordon::resolve(cordon::format::lower_lexically(d, {})), {.by = cordon::enclosure::namespaces});
    asio::io_context context;
    error_code ec;
    auto child = cordon::spawn(context, ec, isolated, "/bin/sh", {"-c", "exit $(($$ + 5))"});
    if (ec == number(EPERM) || ec == number(ENOSPC)) return launching::skip("no user namespace can be made here");
    REQUIRE_FALSE(ec);
    CHECK(child.wait() == 7);
    auto asked =
        cordon::spawn(context, isolated, "/bin/sh", {"-c", "trap 'exit 5' TERM; echo; while :; do sleep 0.01; done"});
    std::this_thread::sleep_for(std::chrono::milliseconds(200));
    asked.request_exit();
    CHECK(asked.wait() == 5);
    auto ended = cordon::spawn(context, isolated, "/bin/sh", {"-c", "setsid sleep 100 & sleep 100"});
    ended.terminate();
    CHECK(ended.wait() == SIGKILL);
  }

  TEST_CASE("spawn: async_wait reports the exit code in the event loop") {
    asio::io_context context;
    auto child = cordon::spawn(context, ready{}, "/bin/sh", {"-c", "sleep 0.05; exit 7"});
    CHECK(child.id() > 0);
    int code = -1;
    child.async_wait([&](error_code, int c) { code = c; });
    context.run();
    CHECK(code == 7);
  }

  TEST_CASE("spawn: a failed start is an error_code or an exception with the errno") {
    asio::io_context context;
    error_code ec = number(EIO);
    CHECK_FALSE(cordon::spawn(context, ec, ready{}, "/no/such/program", {}).is_open());
    CHECK(ec == number(ENOENT));
    auto child = cordon::spawn(context, ec, ready{}, "/bin/true", {});
    CHECK_FALSE(ec);
    CHECK(child.wait() == 0);
    std::string text;
    try {
      child = cordon::spawn(context.get_executor(), ready{}, "/etc/passwd", {});
    } catch (const boost::system::system_error& e) {
      ec = e.code();
      text = e.what();
    }
    CHECK(ec == number(EACCES));
    CHECK(text.find("exec") != text.npos);
    CHECK(text.find("/etc/passwd") != text.npos);
  }

  TEST_CASE("spawn: the error code that an initializer returns counts, not errno") {
    asio::io_context context;
    error_code ec;
    for (const int stray : {0, ENOTTY}) {
      CHECK_FALSE(cordon::spawn(context, ec, ready{}, "/bin/true", {}, failing{number(EXDEV), stray}).is_open());
      CHECK(ec == number(EXDEV));
    }
    CHECK_FALSE(cordon::spawn(context, ec, ready{}, "/bin/true", {}, failing{asio::error::eof}).is_open());
    CHECK(ec == number(EPROTO));
    CHECK(cordon::spawn(context, ec, ready{}, "/bin/true", {}, failing{{}, ENOTTY}).wait() == 0);
  }

  TEST_CASE("spawn: initializers are called in order, and on_error after a failure") {
    struct recorder {
      std::string& log;
      char name;
      int setup = 0;
      error_code on_setup(launcher&, const path&, argv) { return log += {name, 's', ' '}, number(setup); }
      error_code on_exec_setup(launcher&, const path&, argv) { return log += {name, 'x', ' '}, error_code(); }
      void on_success(launcher& l, const path&, argv) { log += {name, l.pid > 0 ? '+' : '?', ' '}; }
      void on_error(launcher&, const path&, argv, const error_code& ec) { log += {name, ec ? '-' : '?', ' '}; }
      void on_exec_error(launcher&, const path&, argv, const error_code& ec) { log += {name, ec ? 'e' : '?', ' '}; }
    };
    asio::io_context context;
    error_code ec;
    std::string log;
    CHECK(cordon::spawn(context, ec, ready{}, "/bin/true", {}, recorder{log, 'a'}, recorder{log, 'b'}).wait() == 0);
    CHECK(log == "as bs ax bx a+ b+ ");
    log.clear();
    CHECK_FALSE(cordon::spawn(context, ec, ready{}, "/none", {}, recorder{log, 'a'}, recorder{log, 'b'}).is_open());
    CHECK(log == "as bs ax bx ae be a- b- ");
    log.clear();
    CHECK_FALSE(
        cordon::spawn(context, ec, ready{}, "/bin/true", {}, recorder{log, 'a', EIO}, recorder{log, 'b'}).is_open());
    CHECK(log == "as a- b- ");
    CHECK(ec == number(EIO));
    log.clear();
    CHECK_FALSE(
        cordon::spawn(context, ec, ready{}, "/bin/true", {}, failing{number(EIO)}, recorder{log, 'b'}).is_open());
    CHECK(log == "bs b- ");
  }

  TEST_CASE("spawn: initializers run before the confinement") {
    const launching::shared_directory outside;
    const auto code = launching::refusing({{SYS_chdir, EPERM}, {SYS_fchdir, EPERM}});
    ready policy;
    policy.how.filter = code.data();
    policy.how.filter_length = static_cast<std::uint16_t>(code.size());
    CHECK(output(policy, "pwd", v2::process_start_dir(outside.path.string())).second == outside.path.string() + "\n");
    CHECK(output(policy, "cd /usr 2>&-").first != 0);
    asio::io_context context;
    error_code ec;
    CHECK_FALSE(cordon::spawn(context, ec, ready{}, "/bin/true", {}, v2::process_start_dir("/no/such")).is_open());
    CHECK(ec == number(ENOENT));
  }

  TEST_CASE("spawn: the confinement is enforced") {
    CHECK(output({}, "grep -c -e '^NoNewPrivs:.1' -e '^CapEff:.0000000000000000' /proc/self/status").second == "2\n");
    const int ruleset = launching::ruleset_denying(1ULL << 8); // MAKE_REG
    if (ruleset < 0) return launching::skip("no Landlock on this host");
    const launching::shared_directory dir;
    const std::string script = "exec 2>&-; cd " + dir.path.string() + "; echo x >file || echo refused";
    ready policy;
    policy.how.ruleset = ruleset;
    CHECK(output(policy, script.c_str()).second == "refused\n");
    CHECK(output({}, script.c_str()).second.empty());
    ::close(ruleset);
  }

  TEST_CASE("spawn: the program inherits bound descriptors only") {
    const launching::shared_directory dir;
    const std::string file = dir.write("file", "content\n");
    const int leaked = ::open("/etc/passwd", O_RDONLY), low = ::open("/usr", O_RDONLY | O_DIRECTORY);
    const char* list = "for f in /proc/$$/fd/*; do test -e $f && echo ${f##*/}; done; true";
    CHECK(output({}, list).second == "0\n1\n2\n");
    CHECK(output({}, list, v2::posix::bind_fd(42, leaked)).second == "0\n1\n2\n42\n");
    CHECK(output({}, "cat /dev/fd/42", v2::posix::bind_fd(42, path(file), O_RDONLY)).second == "content\n");
    // A descriptor that keeps its number is inherited although it is close-on-exec in the parent.
    ::fcntl(leaked, F_SETFD, FD_CLOEXEC);
    CHECK(output({}, list, v2::posix::bind_fd(leaked)).second == "0\n1\n2\n" + std::to_string(leaked) + "\n");
    // A number that the launch itself uses in the parent is still free for the child.
    ready policy;
    policy.how.ruleset = launching::ruleset_denying(1ULL << 8);
    if (policy.how.ruleset >= 0) {
      const int taken = policy.how.ruleset;
      CHECK(output(policy, ("cat /dev/fd/" + std::to_string(taken) + "; echo x >" + file + "2 || echo refused").c_str(),
                   v2::posix::bind_fd(taken, path(file), O_RDONLY), v2::process_stdio{{}, {}, nullptr})
                .first == 0);
      ::close(taken);
    }
    for (const int fd : {leaked, low}) ::close(fd);
  }

  TEST_CASE("spawn: the environment comes from the policy, an initializer or the parent") {
    CHECK(output({}, "echo $A", v2::process_environment({"A=1"})).second == "1\n");
    const char* const own[]{"A=policy", nullptr};
    CHECK(output({{}, own}, "echo $A").second == "policy\n");
    ::setenv("A", "parent", 1);
    CHECK(output({}, "echo $A").second == "parent\n");
    ::unsetenv("A");
    struct late {
      error_code on_exec_setup(launcher& l, const path&, argv) {
        static const char* const other[]{"A=late", nullptr};
        l.env = other;
        return {};
      }
    };
    CHECK(output({}, "echo $A", late{}).second == "late\n");
    asio::io_context context;
    error_code ec;
    CHECK_FALSE(
        cordon::spawn(context, ec, ready{{}, own}, "/bin/true", {}, v2::process_environment({"A=1"})).is_open());
    CHECK(ec == number(EPERM));
    CHECK_FALSE(cordon::spawn(context, ec, ready{{}, own}, "/bin/true", {}, late{}).is_open());
    CHECK(ec == number(EPERM));
  }

  TEST_CASE("spawn: an exception in on_setup reaches the caller, in on_exec_setup it fails the start") {
    struct thrower {
      bool in_child;
      error_code on_setup(launcher&, const path&, argv) { return in_child ? error_code() : throw 1; }
      error_code on_exec_setup(launcher&, const path&, argv) { throw 2; }
    };
    asio::io_context context;
    error_code ec;
    CHECK_THROWS_AS(static_cast<void>(cordon::spawn(context, ec, ready{}, "/bin/true", {}, thrower{false})), int);
    CHECK_FALSE(cordon::spawn(context, ec, ready{}, "/bin/true", {}, thrower{true}).is_open());
    CHECK(ec == number(ENOTRECOVERABLE));
  }

  TEST_CASE("spawn: a child that fails runs no exit handler of the parent") {
    static int called = 0;
    std::atexit([] { ++called; });
    asio::io_context context;
    error_code ec;
    CHECK_FALSE(cordon::spawn(context, ec, ready{}, "/no/such/program", {}).is_open());
    CHECK_FALSE(cordon::spawn(context, ec, ready{}, "/bin/true", {}, failing{number(EIO)}).is_open());
    CHECK(called == 0);
  }

  TEST_CASE("spawn: a thousand starts, some of them failed, leave no process or descriptor") {
    asio::io_context context;
    error_code ec;
    CHECK(cordon::spawn(context, ec, ready{}, "/bin/true", {}).wait() ==
          0); // the context now opens its own descriptors
    const auto before = launching::open_descriptors();
    for (int i = 0; i < 1000; ++i) {
      const auto executor = context.get_executor();
      if (i % 4 == 0) CHECK_FALSE(cordon::spawn(executor, ec, ready{}, "/no/such/program", {}).is_open());
      else CHECK(cordon::spawn(executor, ec, ready{}, "/bin/true", {}).wait() == 0);
    }
    CHECK(launching::open_descriptors() == before);
    CHECK(::waitpid(-1, nullptr, WNOHANG) == -1);
  }

  TEST_CASE("spawn: if the process object cannot be made, no child is left") {
    const auto before = launching::open_descriptors();
    CHECK(launching::apart([] {
            asio::io_context context;
            launching::refuse({{SYS_epoll_ctl, ENOSPC}});
            try {
              static_cast<void>(cordon::spawn(context, ready{}, "/bin/sleep", {"1000"}));
            } catch (const boost::system::system_error& e) {
              return e.code() == number(ENOSPC) && ::waitpid(-1, nullptr, WNOHANG) == -1 && errno == ECHILD ? 0 : 1;
            }
            return 2;
          }) == 0);
    CHECK(launching::open_descriptors() == before);
  }

  TEST_CASE("spawn: several threads spawn at once") {
    std::vector<std::thread> threads;
    std::atomic<int> wrong{0};
    for (int t = 0; t < 4; ++t)
      threads.emplace_back([&wrong, t] {
        asio::io_context context;
        for (int i = 0; i < 50; ++i) {
          const std::string script = "exit " + std::to_string(t);
          if (cordon::spawn(context, ready{}, "/bin/sh", {"-c", script}).wait() != t) ++wrong;
        }
      });
    for (auto& t : threads) t.join();
    CHECK(wrong == 0);
  }

} // TEST_SUITE

} // namespace linux_spawn_test
