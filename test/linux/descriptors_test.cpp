// SPDX-License-Identifier: BSL-1.0
#include "launching.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <sstream>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/socket.h>

namespace linux_descriptors_test {

using namespace launching;

namespace {

/// One open descriptor of each kind that programs leak, none of them close-on-exec.
struct leaks {
  std::vector<int> all;
  leaks() {
    int ends[2];
    REQUIRE(::pipe(ends) == 0);
    all = {ends[0], ends[1]};
    REQUIRE(::socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0);
    all.insert(all.end(), {ends[0], ends[1]});
    all.push_back(::open("/etc/passwd", O_RDONLY));
    all.push_back(::open("/", O_RDONLY | O_DIRECTORY));
    all.push_back(::open("/usr", O_PATH));
    all.push_back(::memfd_create("leak", 0));
    all.push_back(::fcntl(all.front(), F_DUPFD, 900));
    for (const int fd : all) REQUIRE(fd > 2);
  }
  ~leaks() {
    for (const int fd : all) ::close(fd);
  }
};

std::string listed(std::vector<int> numbers) {
  std::sort(numbers.begin(), numbers.end());
  std::string text;
  for (const int n : numbers) text += std::to_string(n) + "\n";
  return text;
}

/// The descriptors that a program finds open. The shell closes the one that it reads the directory with before it tests
/// it.
std::string found(command what, const confinement& how = {}) {
  const prepared_command list("/bin/sh", {"-c", "for f in /proc/$$/fd/*; do test -e $f && echo ${f##*/}; done; true"});
  what.path = list.path, what.argv = list.argv, what.envp = list.envp;
  std::istringstream lines(start(what, how).said);
  return listed({std::istream_iterator<int>(lines), {}});
}

/// In a separate process: rearranges three files among 0, 1 and 2, and checks them by name.
bool rearranged(std::array<int, 3> from, const shared_directory& dir) {
  const char* names[]{"zero", "one", "two"};
  std::string expected;
  for (int i = 0; i < 3; ++i) {
    const std::string file = dir.write(names[i], "");
    const int fd = ::open(file.c_str(), O_RDWR | O_CLOEXEC);
    ::dup3(fd, i, i == 1 ? O_CLOEXEC : 0);
    if (fd > 2) ::close(fd);
  }
  const std::string out = dir.write("out", "");
  prepared_command what("/bin/sh", {"-c", "x=$(readlink /proc/$$/fd/[012]); echo \"$x\" >out"});
  what.cwd = ::open(dir.path.c_str(), O_PATH | O_CLOEXEC);
  what.stdio = from;
  const launched child = launch(what, unconfined);
  if (!child) return false;
  siginfo_t info{};
  ::waitid(P_PIDFD, static_cast<id_t>(child.pidfd), &info, WEXITED);
  for (const int f : from) expected += (dir.path / names[f]).string() + "\n";
  std::ifstream file(out);
  return std::string(std::istreambuf_iterator<char>(file), {}) == expected;
}

} // namespace

TEST_SUITE("descriptors") {

  TEST_CASE("descriptors: nothing above 2 is inherited") {
    const leaks open;
    CHECK(found({}) == "0\n1\n2\n");
  }

  TEST_CASE("descriptors: kept descriptors are inherited under their numbers, others are closed") {
    const leaks open;
    for (const int fd : open.all) {
      command what;
      const int keep[]{fd};
      what.keep = keep;
      CHECK(found(what) == listed({0, 1, 2, fd}));
    }
    command what;
    const int keep[]{open.all[3], open.all[1], 900};
    for (const int fd : keep) ::fcntl(fd, F_SETFD, FD_CLOEXEC);
    what.keep = keep;
    CHECK(found(what) == listed({0, 1, 2, keep[0], keep[1], keep[2]}));
    for (const int fd : keep) CHECK(::fcntl(fd, F_GETFD) == FD_CLOEXEC); // the parent's descriptors are unchanged
  }

  TEST_CASE("descriptors: descriptors 0, 1 and 2 may become stdin, stdout and stderr in any order") {
    const shared_directory dir;
    for (int i = 0; i < 27; ++i) {
      const std::array from{i / 9, i / 3 % 3, i % 3};
      CAPTURE(i);
      CHECK(apart([&] { return rearranged(from, dir) ? 0 : 1; }) == 0);
    }
  }

  TEST_CASE("descriptors: the launcher's own descriptors do not collide with those of the program") {
    const int ruleset = ruleset_denying(1ULL << 1);
    confinement how;
    how.ruleset = ruleset;

    SUBCASE("the launcher's descriptors are 0, 1 and 2") {
      CHECK(apart([&] {
              const int null = ::open("/dev/null", O_RDWR | O_CLOEXEC);
              prepared_command what("/bin/sh", {"-c", "test -c /dev/fd/0 -a -c /dev/fd/1 -a -c /dev/fd/2 && exit 7"});
              for (int i = 0; i < 3; ++i) ::close(i);
              what.program = ::open(what.path, O_PATH | O_CLOEXEC);
              what.cwd = ::open("/usr", O_PATH | O_CLOEXEC);
              if (ruleset >= 0) how.ruleset = ::fcntl(ruleset, F_DUPFD_CLOEXEC, 0);
              what.stdio = {null, null, null};
              return what.program == 0 && what.cwd == 1 ? reap(launch(what, how)) : 1;
            }) == 7);
    }
    SUBCASE("a hook overwrites the launcher's descriptors") {
      const shared_directory dir;
      const std::string file = dir.write("file", "content\n");
      const int opened = ::open(file.c_str(), O_RDONLY | O_CLOEXEC);
      prepared_command what("/bin/sh", {"-c", "cat /dev/fd/50; pwd"});
      what.cwd = ::open("/usr", O_PATH | O_CLOEXEC);
      const int program = ::open(what.path, O_PATH | O_CLOEXEC);
      REQUIRE(::dup3(program, 50, O_CLOEXEC) == 50);
      ::close(program);
      what.program = 50;
      // A descriptor that moves aside must not take the lowest free number either, once `start` has its pipe.
      int free[3];
      for (int& fd : free) fd = ::fcntl(opened, F_DUPFD, 3);
      for (const int fd : free) ::close(fd);
      const int keep[]{50, free[2]};
      struct plan {
        int from, to[2];
      } numbers{opened, {50, free[2]}};
      what.hook = [](void* data) noexcept {
        const auto& n = *static_cast<const plan*>(data);
        for (const int to : n.to)
          if (::dup2(n.from, to) != to) return errno;
        return 0;
      };
      what.hook_data = &numbers;
      what.keep = keep;
      CHECK(start(what, how).said == "content\n/usr\n");
      for (const int fd : {50, opened, what.cwd}) ::close(fd);
    }
    if (ruleset >= 0) ::close(ruleset);
  }

  TEST_CASE("descriptors: others are closed also without close_range or its flag") {
    const leaks open;
    for (const int error : {ENOSYS, EPERM, EINVAL})
      CHECK(apart([&] {
              for (int fd = 100; fd < 500; ++fd)
                ::dup2(open.all.front(), fd); // more than one read of the directory returns
              refuse({{SYS_close_range, error}});
              const int keep[]{open.all[2], 333};
              command what;
              what.keep = keep;
              return found(what) == listed({0, 1, 2, keep[0], keep[1]}) ? 0 : 1;
            }) == 0);
  }

  TEST_CASE("descriptors: the launch fails if open descriptors cannot be listed") {
    if (::geteuid() != 0) return skip("hiding /proc takes root");
    CHECK(apart([] {
            if (::unshare(CLONE_NEWNS) != 0 || ::mount("", "/", "", MS_REC | MS_PRIVATE, "") != 0) return 1;
            if (::mount("tmpfs", "/proc", "tmpfs", 0, "") != 0) return 2;
            if (reap(launch(prepared_command("/bin/true"), {})) != 0) return 3;
            refuse({{SYS_close_range, ENOSYS}});
            const launched child = launch(prepared_command("/bin/true"), {});
            return !child && child.why.at == launch_stage::descriptors && child.why.error == ENOENT ? 0 : 4;
          }) == 0);
  }

} // TEST_SUITE

} // namespace linux_descriptors_test
