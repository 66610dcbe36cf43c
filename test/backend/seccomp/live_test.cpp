// SPDX-License-Identifier: BSL-1.0
/// Runs programs in the kernel: its results must equal those of our interpreter. Linux only.
#include "chance.hpp"
#include "cordon/backend/seccomp/compile.hpp"
#include "cordon/backend/seccomp/evaluate.hpp"

#include <doctest/doctest.h>

#include <cerrno>
#include <csignal>
#include <vector>

#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

namespace seccomp_live_test {

using namespace cordon::seccomp;

namespace {

#if defined(__aarch64__)
constexpr arch host = arch::aarch64;
#elif defined(__riscv)
constexpr arch host = arch::riscv64;
#else
constexpr arch host = arch::x86_64;
#endif

constexpr int not_installed = 99;

void install(std::span<const insn> code) {
  static_assert(sizeof(sock_filter) == sizeof(insn));
  std::vector<sock_filter> copy(code.size());
  for (std::size_t i = 0; i < code.size(); ++i) copy[i] = {code[i].code, code[i].jt, code[i].jf, code[i].k};
  sock_fprog program{static_cast<unsigned short>(copy.size()), copy.data()};
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 || syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program) != 0)
    _exit(not_installed);
}

/// Ends the process without a call. Not __builtin_trap: the address sanitizer makes calls before it.
void die() {
#if defined(__aarch64__)
  asm volatile("udf #0");
#elif defined(__riscv)
  asm volatile("unimp");
#else
  asm volatile("ud2");
#endif
}

/// The wait status of a child that lives under the program.
template <class Body> int under(std::span<const insn> code, Body body) {
  const pid_t child = fork();
  if (child == 0) {
    for (const int caught : {SIGILL, SIGTRAP, SIGSYS}) signal(caught, SIG_DFL);
    const rlimit none{0, 0};
    setrlimit(RLIMIT_CORE, &none);
    install(code);
    body();
    _exit(0);
  }
  int status = -1;
  REQUIRE(child > 0);
  REQUIRE(waitpid(child, &status, 0) == child);
  return status;
}

bool supported() {
  const program nothing = compile(listing{host, {}, pass, pass});
  const int status = under(nothing.code(), [] {});
  if (status == 0) return true;
  MESSAGE("skipped: no seccomp filters on this kernel");
  return false;
}

/// The error number of a call, or 0.
int error_of(long result) { return result < 0 ? errno : 0; }

/// The result of one call, which the parent reads through shared memory.
struct observed {
  data input;
  int error;
};

/// If the program allows a call, return this error instead, so that any call can be tried.
constexpr std::uint32_t would_pass = 4000;

std::vector<insn> harmless(const program& made) {
  std::vector<insn> code(made.code().begin(), made.code().end());
  for (insn& i : code)
    if (i.code == static_cast<std::uint16_t>(op::give) && i.k == pass.encoded())
      i.k = filter_action::error(would_pass).encoded();
  return code;
}

/// Linux 6.14 exempts the calls of its own probes from every filter, and stops any other caller of them.
bool unfiltered(const data& in) {
  const std::string_view name = name_of(host, static_cast<std::uint32_t>(in.nr));
  return name == "uretprobe" || name == "uprobe";
}

long make(const data& in) {
  const auto a = [&](std::size_t i) { return static_cast<long>(in.args[i]); };
  return syscall(static_cast<long>(static_cast<std::uint32_t>(in.nr)), a(0), a(1), a(2), a(3), a(4), a(5));
}

} // namespace

TEST_CASE("seccomp live: the kernel and the interpreter agree for random filters and calls") {
  if (!supported()) return;
  constexpr std::size_t calls_a_round = 500;
  constexpr std::size_t bytes = calls_a_round * sizeof(observed);
  auto* const seen =
      static_cast<observed*>(mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0));
  REQUIRE(seen != MAP_FAILED);
  chance random{31};
  for (int round = 0; round < 100; ++round) {
    filter_spec d = random.some_demand();
    d.cpu = host;
    const program made = compile(d);
    for (std::size_t i = 0; i < calls_a_round; ++i) {
      do {
        seen[i] = {random.some_call(host), -1};
        seen[i].input.arch = audit_arch(host);
      } while (evaluate(made.code(), seen[i].input) == kill_process || unfiltered(seen[i].input));
    }
    const int status = under(harmless(made), [&] {
      for (std::size_t i = 0; i < calls_a_round; ++i) seen[i].error = error_of(make(seen[i].input));
      die(); // no exit call is possible
    });
    REQUIRE(WIFSIGNALED(status));
    for (std::size_t i = 0; i < calls_a_round; ++i) {
      const filter_action said = evaluate(made.code(), seen[i].input);
      REQUIRE(static_cast<std::uint32_t>(seen[i].error) == (said == pass ? would_pass : said.error_number()));
    }
  }
  munmap(seen, bytes);
}

TEST_CASE("seccomp live: the kernel enforces the baseline") {
  if (!supported()) return;
  const filter_spec d{.cpu = host};
  const int status = under(compile(d).code(), [] {
    int pair[2];
    const bool refused =
        error_of(syscall(SYS_ptrace, 0, 0, 0, 0)) == EPERM && error_of(socket(AF_INET, SOCK_STREAM, 0)) == EPERM &&
        error_of(socket(AF_UNIX, SOCK_STREAM, 0)) == EPERM &&
        error_of(socketpair(AF_UNIX, SOCK_DGRAM, 0, pair)) == EPERM &&
        error_of(syscall(SYS_clone3, nullptr, 0)) == ENOSYS && error_of(syscall(425, 1, nullptr)) == EPERM &&
        error_of(unshare(CLONE_NEWUSER)) == EPERM && error_of(syscall(SYS_ioctl, 0, 0x100005412UL, "x")) == EPERM;
    const bool works = socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) == 0 && send(pair[0], "x", 1, 0) == 1 &&
                       unshare(CLONE_FILES) == 0 && getppid() > 0;
    const pid_t grandchild = fork();
    if (grandchild == 0) _exit(7);
    int inner = 0;
    const bool forks = waitpid(grandchild, &inner, 0) == grandchild && WEXITSTATUS(inner) == 7;
    _exit((refused ? 0 : 1) + (works ? 0 : 2) + (forks ? 0 : 4));
  });
  REQUIRE(WIFEXITED(status));
  CHECK(WEXITSTATUS(status) == 0);
}

TEST_CASE("seccomp live: no set-user-ID file can be made without set_id") {
  if (!supported()) return;
  const filter_spec d{.cpu = host, .set_id = false};
  const int status = under(compile(d).code(), [] {
    const auto mode_of = [](int file) {
      struct stat st {};
      return fstat(file, &st) == 0 ? st.st_mode & 07777 : 0;
    };
    const int file = memfd_create("file", 0);
    const bool refused = error_of(fchmod(file, 04755)) == EPERM && error_of(fchmod(file, 06711)) == EPERM &&
                         error_of(fchmodat(AT_FDCWD, "/proc/self/nothing", 04755, 0)) == EPERM &&
                         error_of(openat(AT_FDCWD, "/proc/self/nothing", O_WRONLY | O_CREAT, 04755)) == EPERM &&
                         error_of(openat(AT_FDCWD, "/tmp", O_WRONLY | O_TMPFILE, 04755)) == EPERM &&
                         error_of(mknodat(AT_FDCWD, "/proc/self/nothing", S_IFREG | 04755, 0)) == EPERM &&
                         error_of(syscall(SYS_openat2, AT_FDCWD, "/", nullptr, 0)) == ENOSYS;
    const bool works = fchmod(file, 02775) == 0 && (mode_of(file) & 0777) == 0775 &&
                       syscall(SYS_openat, AT_FDCWD, "/", O_RDONLY, 07777) >= 0;
    _exit((refused ? 0 : 1) + (works ? 0 : 2));
  });
  REQUIRE(WIFEXITED(status));
  CHECK(WEXITSTATUS(status) == 0);
}

TEST_CASE("seccomp live: fork fails without the ability spawn") {
  if (!supported()) return;
  const filter_spec d{.cpu = host, .spawn = false};
  const int status = under(compile(d).code(), [] { _exit(fork() == -1 && errno == EPERM ? 0 : 1); });
  CHECK(status == 0);
}

#if defined(__x86_64__)
TEST_CASE("seccomp live: calls through another ABI end the process") {
  if (!supported()) return;
  const program made = compile(filter_spec{.cpu = host});
  for (const long number : {512L, 547L, 0x40000000L, 0x40000000L | SYS_getpid, 0xFFFFFFFFL})
    CHECK(under(made.code(), [&] { syscall(number, 0, 0, 0); }) == SIGSYS);
  // A kernel without ia32 emulation has no such entry, which ends the process too.
  const int status = under(made.code(), [] {
    std::signal(SIGSEGV, SIG_DFL); // a sanitizer's handler would exit instead
    long result = 20;              // getpid of i386
    asm volatile("int $0x80" : "+a"(result) : : "memory");
  });
  CHECK((status == SIGSYS || status == SIGSEGV));
}
#endif

} // namespace seccomp_live_test
