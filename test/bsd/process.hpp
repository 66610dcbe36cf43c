// SPDX-License-Identifier: BSL-1.0
/// One process of a BSD as its manual pages describe it: descriptors, signals, limits, and a selectable call that
/// fails.
#pragma once

#include <bsd/steps.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace bsd {

class process {
public:
  static constexpr int eperm = 1, enoent = 2, e2big = 7, ebadf = 9, eacces = 13, einval = 22;

  virtual ~process() = default;

  // Set up by a test.
  bool is_child = true;                                                ///< of the next fork
  std::set<std::string> executables{"/usr/bin/tool"};                  ///< files that exist
  std::map<int, std::string> files{{0, "in"}, {1, "out"}, {2, "err"}}; ///< descriptors, and the open file of each
  std::set<int> marked;                                                ///< descriptors that exec closes
  std::string fails;                                                   ///< the call that fails ...
  int fails_at = 0;                                                    ///< ... at this use, counted from 0
  std::string news;                                                    ///< bytes that the parent reads from its child

  // Inspected by a test.
  bool runs = false, has_session = false, blocks_signals = true;
  std::string directory = "/", program, said;
  std::vector<std::string> calls;
  std::set<int> ignored{13}; ///< signals
  int exit_status = -1, ended = 0, reaped = 0, closed = 0;
  std::map<int, unsigned long long> limits;

  int fork() noexcept {
    if (const int no = asked("fork", "proc")) return no;
    return is_child ? 0 : 77;
  }
  int pipe(int* ends) noexcept {
    if (const int no = asked("pipe", "stdio")) return no;
    for (int i = 0; i < 2; ++i) files[ends[i] = lowest(0)] = "news";
    return 0;
  }
  int dup2(int from, int to) noexcept {
    if (const int no = asked("dup2", "stdio")) return no;
    if (!files.contains(from)) return -ebadf;
    files[to] = files[from];
    marked.erase(to);
    return to;
  }
  int fcntl(int fd, int what, int value) noexcept {
    if (const int no = asked("fcntl", "stdio")) return no;
    if (!files.contains(fd)) return -ebadf;
    if (what == cordon::bsd_shim::set_flags) {
      if (value == cordon::bsd_shim::close_on_exec) marked.insert(fd);
      else marked.erase(fd);
      return 0;
    }
    const int copy = lowest(value);
    files[copy] = files[fd];
    return copy;
  }
  int fchdir(int fd) noexcept {
    if (const int no = asked("fchdir", "rpath")) return no;
    if (!files.contains(fd)) return -ebadf;
    directory = files[fd];
    return 0;
  }
  void close(int fd) noexcept { ++closed, files.erase(fd); }
  int setsid() noexcept {
    if (const int no = asked("setsid", "proc")) return no;
    return has_session = true, 1;
  }
  int setrlimit(const cordon::bsd_shim::resource_limit& l) noexcept {
    if (const int no = asked("setrlimit", "id")) return no;
    return limits[l.resource] = l.soft, 0;
  }
  int reset_signal(int s) noexcept {
    if (const int no = asked("signal", "stdio")) return no;
    if (s == cordon::bsd_shim::signal_kill || s == cordon::bsd_shim::signal_stop) return -einval;
    return ignored.erase(s), 0;
  }
  int unblock_signals() noexcept {
    if (const int no = asked("sigprocmask", "stdio")) return no;
    return blocks_signals = false, 0;
  }
  int read(int, void* to, unsigned long size) noexcept {
    if (news.size() > size) return -einval;
    std::copy(news.begin(), news.end(), static_cast<char*>(to));
    return static_cast<int>(news.size());
  }
  void write(int fd, const void* from, unsigned long size) noexcept {
    if (files[fd] == "news") said.assign(static_cast<const char*>(from), size);
  }
  void kill(int) noexcept { ++ended; }
  int wait(int) noexcept { return ++reaped, 0; }
  void exit(int status) noexcept { exit_status = status; }

  /// The failure that the child reported.
  [[nodiscard]] cordon::bsd_shim::failure told() const {
    cordon::bsd_shim::failure f;
    if (said.size() == sizeof f) std::memcpy(static_cast<void*>(&f), said.data(), sizeof f);
    return f;
  }
  void hear(const cordon::bsd_shim::failure& why) { news.assign(reinterpret_cast<const char*>(&why), sizeof why); }

protected:
  /// Returns: 0 if the call is made, otherwise its result.
  int asked(const char* call, const char* promise) noexcept {
    calls.emplace_back(call);
    if (!permits(promise)) return -eperm;
    const auto before = std::count(calls.begin(), calls.end(), call) - 1;
    return fails == call && before == fails_at ? -99 : 0;
  }
  virtual bool permits(const char* /*promise*/) noexcept { return true; }
  [[nodiscard]] int lowest(int least) const {
    while (files.contains(least)) ++least;
    return least;
  }
};

/// The command that the tests start.
inline cordon::bsd_shim::command tool() {
  static char name[] = "tool", word[] = "word";
  static char* const argv[]{name, word, nullptr};
  static char* const envp[]{nullptr};
  cordon::bsd_shim::command c;
  c.path = "/usr/bin/tool";
  c.argv = argv;
  c.envp = envp;
  return c;
}

/// No program runs, and the parent learns why.
inline void check_failure(const process& os, cordon::bsd_shim::launch_stage at, int error) {
  CHECK(!os.runs);
  CHECK(os.exit_status == 127);
  CHECK(os.told().at == at);
  CHECK(os.told().error == error);
}

} // namespace bsd
