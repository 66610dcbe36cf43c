// SPDX-License-Identifier: BSL-1.0
#include <cordon/linux/control_group.hpp>

#include "../child/descriptor.hpp"
#include "../child/kill_listed.hpp"
#include "../child/read_file.hpp"
#include "../probe/probe.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <mutex>
#include <optional>
#include <sstream>
#include <utility>

namespace cordon {
namespace {

using linux_shim::descriptor;
using linux_shim::read_file;

constexpr std::string_view prefix = "cordon-run-", leaf_prefix = "cordon-own-";

/// Writes the text in one call, as the kernel requires.
[[nodiscard]] bool put(const std::string& path, const std::string& text) {
  const descriptor file(::open(path.c_str(), O_WRONLY | O_CLOEXEC));
  return file && ::write(file.get(), text.data(), text.size()) == static_cast<ssize_t>(text.size());
}

/// Is the word in a space-separated list?
[[nodiscard]] bool lists(const std::string& list, const std::string& word) {
  return (" " + list.substr(0, list.find('\n')) + " ").find(" " + word + " ") != std::string::npos;
}

/// Removes the groups of killed launchers: their names contain ids of processes that no longer exist.
void clean(const std::string& parent) {
  std::error_code ec;
  for (const auto& entry : std::filesystem::directory_iterator(parent, ec)) {
    const std::string name = entry.path().filename().string();
    if (!name.starts_with(prefix) && !name.starts_with(leaf_prefix)) continue;
    static_assert(prefix.size() == leaf_prefix.size());
    const int pid = std::atoi(name.c_str() + prefix.size());
    if (pid > 0 && ::kill(pid, 0) != 0 && errno == ESRCH) ::rmdir(entry.path().c_str());
  }
}

[[nodiscard]] std::string leaf_of(const std::string& parent) {
  return parent + "/" + std::string(leaf_prefix) + std::to_string(::getpid());
}

/// Moves this process from the group to a new leaf of it. This empties the group only if no other process is in it. A
/// later launcher removes the leaf, once this one has ended.
[[nodiscard]] bool step_down(const std::string& parent) {
  const std::string own = std::to_string(::getpid());
  if (read_file(parent + "/cgroup.procs") != own + "\n") return false;
  return ::mkdir(leaf_of(parent).c_str(), 0755) == 0 && put(leaf_of(parent) + "/cgroup.procs", own);
}

/// Returns: the version 2 group that this process was started in, not its leaf after `step_down`.
[[nodiscard]] std::string unified_group(std::string_view groups, std::string_view mounts) {
  const std::string now = linux_shim::cgroup_directory(groups, mounts), parent = now.substr(0, now.rfind('/'));
  return !now.empty() && now == leaf_of(parent) ? parent : now;
}

/// Is the controller enabled for groups below this one? If not, and the group has it, this function enables it. No
/// process may then stay in the group ("no internal processes", cgroups(7)). For memory the kernel reports this
/// (EBUSY). For pids, which also controls threads, it makes a threaded group instead, in which no process can be
/// created (EOPNOTSUPP). The root group, which has no type, is exempt.
[[nodiscard]] bool passes_on(const std::string& parent, const std::string& controller) {
  const std::string control = parent + "/cgroup.subtree_control";
  if (lists(read_file(control), controller)) return true;
  if (!lists(read_file(parent + "/cgroup.controllers"), controller)) return false;
  const bool occupied = !read_file(parent + "/cgroup.type").empty() && !read_file(parent + "/cgroup.procs").empty();
  return (!occupied || step_down(parent)) && put(control, "+" + controller);
}

/// Can a process be created in the group? Not in a version 2 group below a threaded one. Version 1 has no types.
[[nodiscard]] bool is_habitable(const std::string& path) {
  const std::string type = read_file(path + "/cgroup.type");
  return type.empty() || type == "domain\n";
}

/// For version 2: microseconds, in a line of the file. For version 1: nanoseconds.
constexpr const char* cpu_files[]{"cpu.stat", "cpuacct.usage"};

/// Reads a number from a file of lines `NAME NUMBER`, or, without a name, of one number.
[[nodiscard]] std::optional<std::uint64_t> number_in(const std::string& file, std::string_view name) {
  std::istringstream text(read_file(file));
  std::uint64_t number = 0;
  for (std::string word; !name.empty() && word != name;)
    if (!(text >> word)) return std::nullopt;
  return text >> number ? std::optional(number) : std::nullopt;
}

} // namespace

std::string control_group::make(std::string_view controller, const std::string& parent,
                                std::span<const std::string> settings) {
  static std::atomic<unsigned> count{0};
  if (parent.empty()) return {};
  clean(parent);
  std::string path = parent + "/" + std::string(prefix) + std::to_string(::getpid()) + "-" + std::string(controller) +
                     std::to_string(count++);
  if (::mkdir(path.c_str(), 0755) != 0) return {};
  bool all = is_habitable(path);
  for (std::size_t i = 0; i + 1 < settings.size(); i += 2) all = all && put(path + "/" + settings[i], settings[i + 1]);
  const int directory = all ? ::open(path.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC) : -1;
  if (directory < 0) {
    ::rmdir(path.c_str());
    return {};
  }
  paths_.push_back(path);
  directories_.push_back(directory);
  return path;
}

/// The requested limits, and the groups of this process.
struct control_group::wish {
  /// A limit that a controller can hold.
  struct holder {
    limit which;
    std::string controller;
    /// Files and the text to write to each, by cgroup version. The first file is the one that the report names.
    std::vector<std::string> second, first;
  };

  wish(const limits& all, std::uint64_t more, bool always_one)
      : wanted(all), counted(all.has(limit::cpu)), always(always_one) {
    const std::string bytes = std::to_string(wanted[limit::memory]);
    const std::string tasks = std::to_string(wanted[limit::processes] + more);
    if (wanted.has(limit::memory)) // without a swap limit, a tree could use the same amount again in swap
      holders.push_back({limit::memory,
                         "memory",
                         {"memory.max", bytes, "memory.swap.max", "0", "memory.oom.group", "1"},
                         {"memory.limit_in_bytes", bytes}});
    if (wanted.has(limit::processes))
      holders.push_back({limit::processes, "pids", {"pids.max", tasks}, {"pids.max", tasks}});
  }

  /// Returns: the version 1 group of this process; empty if there is none.
  [[nodiscard]] std::string first_group(std::string_view controller) const {
    return linux_shim::cgroup_directory(groups, mounts, controller);
  }

  const limits& wanted;
  bool counted; ///< is processor time to be counted?
  bool always;  ///< create a group without a limit too
  std::vector<holder> holders;
  std::string groups = read_file("/proc/self/cgroup"), mounts = read_file("/proc/self/mountinfo");
};

void control_group::hold(limit l, const std::string& file, const std::string& group) {
  held_[static_cast<std::size_t>(l)] = file + ", of the whole tree";
  if (l == limit::memory) memory_ = group;
}

void control_group::count(const std::string& file, const std::string& group) {
  if (group.empty() || number_in(group + "/" + file, file == cpu_files[0] ? "usage_usec" : "") == std::nullopt) return;
  cpu_ = group + "/" + file;
  held_[static_cast<std::size_t>(limit::cpu)] = "cordon by " + file + ", of the whole tree";
}

/// A process is in exactly one version 2 group, so one group must enforce all its limits.
void control_group::make_second(const wish& w) {
  const std::string unified = unified_group(w.groups, w.mounts);
  std::vector<std::string> settings;
  std::vector<const wish::holder*> inside;
  for (const wish::holder& h : w.holders)
    if (!unified.empty() && passes_on(unified, h.controller)) {
      settings.insert(settings.end(), h.second.begin(), h.second.end());
      inside.push_back(&h);
    }
  if (inside.empty() && !w.counted && !w.always) return;
  const std::string made = make("unified", unified, settings);
  for (const wish::holder* h : inside)
    if (!made.empty()) hold(h->which, h->second[0], made);
  if (w.counted) count(cpu_files[0], made);
}

/// Version 1 has one group a controller, for what version 2 does not hold.
void control_group::make_first(const wish& w) {
  for (const wish::holder& h : w.holders)
    if (holds(h.which).empty())
      if (const std::string made = make(h.controller, w.first_group(h.controller), h.first); !made.empty())
        hold(h.which, h.first[0], made);
  if (w.counted && cpu_.empty()) count(cpu_files[1], make("cpuacct", w.first_group("cpuacct"), {}));
  if (w.always && paths_.empty()) (void)make("pids", w.first_group("pids"), {});
}

control_group::control_group(const limits& wanted, std::uint64_t more, bool always) {
  if (!wanted.has(limit::memory) && !wanted.has(limit::processes) && !wanted.has(limit::cpu) && !always) return;
  const wish w(wanted, more, always);
  make_second(w);
  make_first(w);
}

std::uint64_t control_group::cpu_used() const {
  if (cpu_.empty()) return 0;
  const bool second = cpu_.ends_with(cpu_files[0]);
  return number_in(cpu_, second ? "usage_usec" : "").value_or(0) * (second ? 1000 : 1);
}

bool control_group::is_out_of_memory() const {
  if (memory_.empty()) return false;
  const bool second = number_in(memory_ + "/memory.events", "oom_kill").value_or(0) > 0;
  return second || number_in(memory_ + "/memory.oom_control", "oom_kill").value_or(0) > 0;
}

namespace {

[[nodiscard]] std::vector<int> processes_of(const std::string& group) {
  std::vector<int> all;
  std::istringstream list(read_file(group + "/cgroup.procs"));
  for (int pid = 0; list >> pid;) all.push_back(pid);
  return all;
}

} // namespace

std::vector<int> control_group::end() const {
  std::vector<int> dying;
  const auto add = [&](linux_shim::descriptor& fd) { dying.push_back(fd.release()); };
  for (const std::string& p : paths_) {
    const auto members = [&] { return processes_of(p); };
    if (put(p + "/cgroup.kill", "1")) {
      for (auto& killed : linux_shim::kill_listed(members)) add(killed.second);
      continue;
    }
    (void)put(p + "/pids.max", "0");
    constexpr int rounds = 4; // against processes that fork meanwhile without a limit on their number
    bool found = true;
    for (int i = 0; i < rounds && found; ++i) {
      auto killed = linux_shim::kill_listed(members);
      found = !killed.empty();
      for (auto& one : killed) add(one.second);
    }
  }
  return dying;
}

namespace {

/// Removes a group, and those of earlier failed removals.
void remove(const std::string& path) {
  static std::mutex one_at_a_time;
  static std::vector<std::string> left;
  const std::lock_guard lock(one_at_a_time);
  left.push_back(path);
  std::erase_if(left, [](const std::string& p) { return ::rmdir(p.c_str()) == 0 || errno == ENOENT; });
}

} // namespace

control_group::~control_group() {
  for (const int d : directories_) ::close(d);
  for (const std::string& p : paths_) remove(p);
}

} // namespace cordon
