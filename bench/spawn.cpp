// SPDX-License-Identifier: BSL-1.0
// Measures what confinement adds to starting a program and waiting for it, as a ratio to plain posix_spawn. Prints
// medians of rounds in which all variants run in random order, since the machine's noise is larger than the difference.
//
//     spawn [--check] [ROUNDS]
//
// The goal is 1.10 for a reused policy and 1.15 for one that is prepared for each launch, whatever the size of the
// parent. --check fails if none of three measurements meets it: on a busy machine single ones vary by 0.05.
#include "ways.hpp"

#include <cordon/backend/seccomp/compile.hpp>
#include <cordon/linux/launch.hpp>

#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <spawn.h>
#include <string_view>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

extern char** environ;

namespace {

using namespace cordon;
using namespace cordon::linux_shim;

constexpr const char* program_path = "/bin/true";
char* arguments[]{const_cast<char*>("true"), nullptr};

[[noreturn]] void stop(const char* what) {
  std::fprintf(stderr, "spawn: %s\n", what);
  std::exit(1);
}

struct instruction { // struct sock_filter
  std::uint16_t code;
  std::uint8_t if_true, if_false;
  std::uint32_t value;
};

/// An interval tree over the system calls as compilers generate it: 80 instructions, which allow all calls of the
/// program.
class tree {
public:
  tree() {
    constexpr std::uint32_t this_cpu =
#if defined(__x86_64__)
        0xc000003e;
#elif defined(__aarch64__)
        0xc00000b7;
#else
        0xc00000f3;
#endif
    code_ = {{0x20, 0, 0, 4}, {0x15, 1, 0, this_cpu}, {0x06, 0, 0, 0x80000000}, {0x20, 0, 0, 0}};
    grow(0, 38);
    code_.push_back({0x06, 0, 0, 0}); // never reached: the eightieth
  }
  const std::vector<instruction>& code() const { return code_; }

private:
  static int size(int from, int to) {
    const int middle = (from + to) / 2;
    return to - from == 1 ? 1 : 1 + size(from, middle) + size(middle, to);
  }
  void grow(int from, int to) {
    constexpr int width = 12, first_refused = 32; // refused from number 384 on, every other interval
    if (to - from == 1)
      return code_.push_back({0x06, 0, 0, from > first_refused && from % 2 ? 0x00050001U : 0x7fff0000U});
    const int middle = (from + to) / 2;
    code_.push_back(
        {0x35, static_cast<std::uint8_t>(size(from, middle)), 0, static_cast<std::uint32_t>(middle * width)});
    grow(from, middle);
    grow(middle, to);
  }
  std::vector<instruction> code_;
};

/// Everything that a launch needs and that can be made in advance.
struct preparation {
  tree filter;
  confinement how;
  int program;

  preparation() {
    const std::array<std::uint64_t, 2> handled{0xffff, 3}; // ABI 5: files and TCP
    how.ruleset = static_cast<int>(::syscall(SYS_landlock_create_ruleset, handled.data(), sizeof handled, 0));
    if (how.ruleset < 0) stop("no Landlock of ABI 5 or later here");
    for (const char* place : {"/usr", "/lib", "/lib64", "/bin", "/etc"}) {
      struct __attribute__((packed)) {
        std::uint64_t rights = 1 | 1 << 2 | 1 << 3; // execute, read file, read directory
        std::int32_t directory = -1;
      } rule;
      rule.directory = ::open(place, O_PATH | O_CLOEXEC);
      if (::syscall(SYS_landlock_add_rule, how.ruleset, 1, &rule, 0) != 0) stop("a rule is refused");
      ::close(rule.directory);
    }
    use(filter.code().data(), filter.code().size());
    how.limits[0] = {RLIMIT_CORE, 0, 0};
    how.limit_count = 1;
    program = ::open(program_path, O_PATH | O_CLOEXEC);
  }
  ~preparation() {
    ::close(how.ruleset);
    ::close(program);
  }
  preparation(const preparation&) = delete;

  void use(const void* code, std::size_t length) {
    how.filter = code;
    how.filter_length = static_cast<std::uint16_t>(length);
  }
};

void run(int program, const confinement& how) {
  command what;
  what.program = program;
  what.path = program_path;
  what.argv = arguments;
  what.envp = environ;
  const launched child = launch(what, how);
  if (!child) stop(name(child.why.at).data());
  siginfo_t info{};
  ::waitid(P_PIDFD, static_cast<id_t>(child.pidfd), &info, WEXITED);
  ::close(child.pidfd);
  if (info.si_code != CLD_EXITED || info.si_status != 0) stop("the program did not end well");
}

void run_by_posix_spawn() {
  pid_t pid = 0;
  int status = 0;
  if (::posix_spawn(&pid, program_path, nullptr, nullptr, arguments, environ) != 0) stop("posix_spawn");
  ::waitpid(pid, &status, 0);
}

} // namespace

int main(int argc, char** argv) {
  const bool check = argc > 1 && std::string_view(argv[1]) == "--check";
  const int rounds = argc > 1 + check ? std::atoi(argv[1 + check]) : 500;
  if (rounds < 1) stop("usage: spawn [--check] [ROUNDS]");
  preparation ready, with_baseline;
  const seccomp::program baseline = seccomp::compile(seccomp::filter_spec{});
  with_baseline.use(baseline.code().data(), baseline.size());
  const confinement none{.no_new_privs = false, .drop_capabilities = false, .new_session = false};
  std::printf("filters: tree of %zu instructions, cordon's baseline of %zu\n", ready.filter.code().size(),
              baseline.size());

  const auto all = [&](const char* title) {
    for (int left = check ? 3 : 1; left > 0; --left)
      if (compare(title, rounds,
                  {{"posix_spawn", 0, run_by_posix_spawn},
                   {"launch, unconfined", 0, [&] { run(ready.program, none); }},
                   {"confined, prepared once", 1.10, [&] { run(ready.program, ready.how); }},
                   {"confined, prepared for each launch", 1.15,
                    [] {
                      const preparation fresh;
                      run(fresh.program, fresh.how);
                    }},
                   {"confined by cordon's baseline, prepared once", 0,
                    [&] { run(with_baseline.program, with_baseline.how); }}}))
        return true;
    return !check;
  };
  bool good = all("parent of a few MiB");
  constexpr std::size_t gibibyte = std::size_t{1} << 30;
  void* const memory = ::mmap(nullptr, gibibyte, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) stop("no memory");
  std::memset(memory, 1, gibibyte);
  good &= all("parent of 1 GiB");
  return good ? 0 : 1;
}
