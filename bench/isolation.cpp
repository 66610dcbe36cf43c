// SPDX-License-Identifier: BSL-1.0
// Measures a run in namespaces: /bin/true in the view of a policy. Compares cordon with bwrap, which gets the
// arguments that cordon compiles from the same policy, also from a process of 1 GiB. Compares both command lines too:
// for the same view, and in their common use. There bwrap shows the whole machine by one mount and installs no kernel
// rules.
//   isolation [--check] [ROUNDS] CORDON [SRT...]
// SRT: words that start a program in sandbox-runtime, such as `srt --settings FILE`; measured as well.
#include "ways.hpp"

#include <cordon/backend/bubblewrap.hpp>
#include <cordon/format/read.hpp>
#include <cordon/format/write.hpp>
#include <cordon/linux/prepare.hpp>

#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <spawn.h>
#include <string>
#include <string_view>
#include <sys/mman.h>
#include <sys/wait.h>
#include <vector>

extern char** environ;

namespace {

using namespace cordon;

[[noreturn]] void stop(const std::string& what) {
  std::fprintf(stderr, "isolation: %s\n", what.c_str());
  std::exit(1);
}

void run_words(const std::vector<std::string>& words) {
  std::vector<char*> argv;
  for (const std::string& w : words) argv.push_back(const_cast<char*>(w.c_str()));
  argv.push_back(nullptr);
  pid_t pid = 0;
  int status = 0;
  if (::posix_spawnp(&pid, argv[0], nullptr, nullptr, argv.data(), environ) != 0) stop("cannot start " + words[0]);
  ::waitpid(pid, &status, 0);
  if (status != 0) stop(words[0] + " did not end well");
}

void run_isolated(const prepared& ready) {
  static char name[] = "true";
  char* arguments[]{name, nullptr};
  linux_shim::command what;
  what.path = "/usr/bin/true";
  what.argv = arguments;
  what.envp = const_cast<char* const*>(ready.environment());
  const linux_shim::launched child = linux_shim::launch(what, ready.confinement());
  if (!child) stop(ready.describe_failure(child.why));
  siginfo_t info{};
  ::waitid(P_PIDFD, static_cast<id_t>(child.pidfd), &info, WEXITED);
  ::close(child.pidfd);
  if (info.si_code != CLD_EXITED || info.si_status != 0) stop("the program did not end well");
}

/// A workspace with a protected path, and the system.
loaded_policy policy_of(const std::string& workspace) {
  format::document d;
  d.level = level::process_exec;
  d.presets.emplace();
  d.files.emplace();
  const auto grant = [&](const std::string& place, rights r) {
    if (std::filesystem::exists(place) && !std::filesystem::is_symlink(place)) d.files->push_back({place, r});
  };
  for (const char* place : {"/usr", "/lib", "/lib64", "/bin", "/etc"}) grant(place, verb::run);
  grant(workspace, verb::write);
  grant(workspace + "/.git", verb::read);
  return resolve(format::lower_lexically(d, {}));
}

std::vector<std::string> words_for_bwrap(const loaded_policy& p) {
  std::vector<std::string> words{"bwrap"};
  const auto made = bubblewrap::compile(p, {});
  bubblewrap::each_argument(made.rules, [&](std::string_view word) { words.emplace_back(word); });
  words.emplace_back("/usr/bin/true");
  return words;
}

} // namespace

int main(int argc, char** argv) {
  const bool check = argc > 1 && std::string_view(argv[1]) == "--check";
  int next = check ? 2 : 1;
  const int rounds = argc > next + 1 ? std::atoi(argv[next++]) : 200;
  if (argc <= next || rounds < 1) stop("usage: isolation [--check] [ROUNDS] CORDON [SRT...]");
  const std::string cordon = argv[next++];
  std::vector<std::string> by_srt(argv + next, argv + argc);
  std::string workspace = "/var/tmp/cordon-bench-XXXXXX";
  if (::mkdtemp(workspace.data()) == nullptr) stop("no workspace");
  std::filesystem::create_directory(workspace + "/.git");
  const loaded_policy policy = policy_of(workspace);
  const prepared ready = prepare(policy, {.by = enclosure::namespaces, .confine = true, .environment = {}});
  const std::vector<std::string> by_bwrap = words_for_bwrap(policy);
  const std::string file = workspace + ".json";
  std::ofstream(file) << format::write_json(policy);
  const std::vector<std::string> line{cordon,  "run",     "--quiet", "--workspace",  workspace,
                                      "--cwd", workspace, "--",      "/usr/bin/true"};
  const std::vector<std::string> same_view{cordon,  "run",     "--quiet", "--policy",     file,
                                           "--cwd", workspace, "--",      "/usr/bin/true"};
  const std::vector<std::string> all_of_bwrap{"bwrap", "--unshare-all", "--ro-bind", "/", "/", "--", "/usr/bin/true"};

  // A check tries up to three times: a busy moment must not fail it.
  const auto holds = [&](const char* title, int times, const std::vector<way>& ways) {
    for (int left = check ? 3 : 1; left > 0; --left)
      if (compare(title, times, ways)) return true;
    return false;
  };
  const auto launches = [&](const char* title) {
    return holds(title, rounds,
                 {{"bwrap", 0, [&] { run_words(by_bwrap); }},
                  {"cordon, prepared once", 0.50, [&] { run_isolated(ready); }},
                  {"cordon, prepared for each launch", 0.50, [&] {
                     run_isolated(prepare(policy, {.by = enclosure::namespaces, .confine = true, .environment = {}}));
                   }}});
  };
  bool good = launches("in a view of its own, parent of a few MiB");
  good &= holds("command lines, one view", rounds / 2,
                {{"bwrap --unshare-all ...", 0, [&] { run_words(by_bwrap); }},
                 {"cordon run --policy", 0.50, [&] { run_words(same_view); }}});
  good &= holds("command lines, as typed", rounds / 2,
                {{"bwrap --unshare-all --ro-bind / /", 0, [&] { run_words(all_of_bwrap); }},
                 {"cordon run", 0.50, [&] { run_words(line); }}});
  if (!by_srt.empty()) {
    by_srt.emplace_back("/usr/bin/true");
    good &= holds("command lines, srt", std::max(rounds / 10, 5),
                  {{"srt", 0, [&] { run_words(by_srt); }}, {"cordon run", 0.01, [&] { run_words(line); }}});
  }
  constexpr std::size_t gibibyte = std::size_t{1} << 30;
  void* const memory = ::mmap(nullptr, gibibyte, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) stop("no memory");
  std::memset(memory, 1, gibibyte);
  good &= launches("in a view of its own, parent of 1 GiB");
  std::filesystem::remove_all(workspace);
  std::filesystem::remove(file);
  return good || !check ? 0 : 1;
}
