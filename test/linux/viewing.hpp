// SPDX-License-Identifier: BSL-1.0
/// Shared by the tests of views: the view of a few grants, and a process that enters it.
#pragma once

#include "../scratch.hpp"
#include "launching.hpp"

#include "../../shims/linux/isolation/view.hpp"
#include <cordon/format/lower.hpp>
#include <cordon/run/resolve.hpp>

#include <doctest/doctest.h>
#include <linux/sched.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include <fstream>
#include <functional>
#include <iterator>
#include <string>
#include <vector>

namespace viewing {

using namespace cordon;
using linux_shim::raw_syscall, linux_shim::view, linux_shim::view_act, linux_shim::view_step;
using grants = std::vector<format::grant>;

inline view view_of(grants places, const std::string& temp = {}) {
  format::document d;
  d.files = std::move(places);
  d.presets.emplace();
  const auto made = namespaces::compile(format::lower_lexically(d, {}), namespaces::target{.private_bytes = 1 << 20});
  REQUIRE(made.error.code == diagnostic_code::ok);
  return {made.rules, {.temp = temp}};
}

/// The result, in memory shared by both processes.
struct entered {
  int error = 0; ///< -1: user namespaces are not available
  std::uint32_t at = 0;
  int code = -1;     ///< of the body
  int leaked = 0;    ///< number of additional descriptors
  unsigned mask = 0; ///< umask afterwards
};

inline int descriptors() {
  int count = 0;
  for (int fd = 0; fd < 256; ++fd) count += ::fcntl(fd, F_GETFD) >= 0 ? 1 : 0;
  return count;
}

inline bool put(const char* file, const std::string& text) {
  const int fd = ::open(file, O_WRONLY | O_CLOEXEC);
  const bool written = ::write(fd, text.data(), text.size()) == static_cast<ssize_t>(text.size());
  ::close(fd);
  return written;
}

/// Enters the view in separate namespaces, after `before`, and calls `body` in it.
inline entered enter(
    const view& v, const std::function<int()>& body = [] { return 0; }, const std::function<void()>& before = [] {}) {
  const std::string user = std::to_string(::geteuid()), group = std::to_string(::getegid());
  void* const memory = ::mmap(nullptr, sizeof(entered), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  REQUIRE(memory != MAP_FAILED);
  auto& told = *new (memory) entered;
  clone_args args{};
  args.flags = CLONE_NEWUSER | CLONE_NEWNS | CLONE_NEWPID | CLONE_NEWIPC;
  args.exit_signal = SIGCHLD;
  const long child = raw_syscall(SYS_clone3, &args, sizeof args);
  if (child == 0) {
    if (!put("/proc/self/setgroups", "deny") || !put("/proc/self/uid_map", user + " " + user + " 1\n") ||
        !put("/proc/self/gid_map", group + " " + group + " 1\n"))
      told.error = -1, ::_exit(0);
    before();
    ::umask(027);
    const int count = descriptors();
    told.error = enter_view(v.steps(), told.at);
    told.leaked = descriptors() - count;
    told.mask = ::umask(0);
    if (told.error == 0) told.code = body();
    ::_exit(0);
  }
  if (child < 0) told.error = -1;
  else ::waitpid(static_cast<pid_t>(child), nullptr, 0);
  const entered copy = told;
  ::munmap(memory, sizeof(entered));
  return copy;
}

/// Are user namespaces unavailable? Then also reports a skip.
inline bool is_missing(const entered& e) {
  if (e.error != -1) return false;
  launching::skip("no user namespace can be made here");
  return true;
}

inline bool is_there(const std::string& place) {
  struct stat s {};
  return ::lstat(place.c_str(), &s) == 0;
}

/// errno of opening, or 0.
inline int opening(const std::string& place, int flags) {
  const int fd = ::open(place.c_str(), flags | O_CLOEXEC, 0600);
  const int error = fd < 0 ? errno : 0;
  ::close(fd);
  return error;
}

/// A workspace with a protected, a hidden and a missing path, a partly readable path, and a path inside a mask.
struct work : scratch {
  work() {
    for (const char* name :
         {"job/file", "job/a/.git/hooks/one", "job/key", "job/deep/secret/file", "lib/x", "etc/hosts"})
      file(name, "inside");
  }
  [[nodiscard]] grants places() const {
    return {{at("job"), verb::write},           {at("job/a/.git/hooks"), verb::read}, {at("job/key"), verb::hide},
            {at("job/deep"), verb::hide},       {at("job/no/such"), verb::read},      {at("lib"), verb::run},
            {at("job/deep/secret"), verb::run}, {at("etc/hosts"), verb::read}};
  }
};

inline std::uint32_t step_on(const view& v, const std::string& words) {
  for (std::uint32_t i = 0; i < v.steps().size(); ++i)
    if (v.describe_step(i) == words) return i;
  return ~std::uint32_t{0};
}

/// The content of a file. Empty if it cannot be read, such as a file of a process that has just ended.
inline std::string content(const char* file) {
  std::ifstream in(file);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

} // namespace viewing
