// SPDX-License-Identifier: BSL-1.0
// Measures the cost of reading a program's output through cordon. Streamed to a listener: as a ratio to a plain loop
// of 64 KiB reads on a pipe of 1 MiB. Kept whole: against the same loop into a buffer that doubles, Boost.Process and
// python's subprocess. Also measures the memory of this process if it keeps head and tail. A captured /bin/true may
// take a millisecond longer than posix_spawn with a pipe.
//   output [--check] [MIB] [ROUNDS]
#include "ways.hpp"

#include "../test/linux/running.hpp"

#include <boost/process.hpp>

#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <fstream>
#include <iterator>
#include <spawn.h>
#include <string>
#include <sys/wait.h>
#include <unistd.h>

extern char** environ;

namespace {

[[noreturn]] void stop(const std::string& what) {
  std::fprintf(stderr, "output: %s\n", what.c_str());
  std::exit(1);
}

std::vector<std::string> words_for(std::size_t bytes) {
  return {"/usr/bin/dd", "if=/dev/zero", "bs=65536", "count=" + std::to_string(bytes >> 16), "status=none"};
}

/// Starts a child with a pipe of 1 MiB. `take` reads until it returns that the output has ended.
template <class F> void read_plainly(const std::vector<std::string>& words, F&& take) {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) stop("no pipe");
  ::fcntl(ends[0], F_SETPIPE_SZ, 1 << 20);
  posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  ::posix_spawn_file_actions_adddup2(&actions, ends[1], 1);
  std::vector<char*> argv;
  for (const std::string& w : words) argv.push_back(const_cast<char*>(w.c_str()));
  argv.push_back(nullptr);
  pid_t pid = 0;
  if (::posix_spawn(&pid, argv[0], &actions, nullptr, argv.data(), environ) != 0) stop("cannot start " + words[0]);
  ::posix_spawn_file_actions_destroy(&actions);
  ::close(ends[1]);
  while (take(ends[0])) {}
  ::close(ends[0]);
  ::waitpid(pid, nullptr, 0);
}

std::size_t stream_plainly(const std::vector<std::string>& words) {
  std::size_t total = 0;
  static char buffer[1 << 16];
  read_plainly(words, [&](int fd) {
    const ssize_t n = ::read(fd, buffer, sizeof buffer);
    total += n > 0 ? static_cast<std::size_t>(n) : 0;
    return n > 0;
  });
  return total;
}

std::size_t keep_plainly(const std::vector<std::string>& words) {
  std::size_t room = 1 << 16, size = 0;
  char* all = static_cast<char*>(std::malloc(room));
  read_plainly(words, [&](int fd) {
    if (size == room) all = static_cast<char*>(std::realloc(all, room *= 2));
    const ssize_t n = ::read(fd, all + size, std::min<std::size_t>(room - size, 1 << 16));
    size += n > 0 ? static_cast<std::size_t>(n) : 0;
    return n > 0;
  });
  std::free(all);
  return size;
}

std::size_t keep_by_boost(const std::vector<std::string>& words) {
  namespace bp = boost::process;
  bp::ipstream out;
  bp::child c(bp::exe = words[0], bp::args = std::vector<std::string>(words.begin() + 1, words.end()),
              bp::std_out > out);
  const std::string all((std::istreambuf_iterator<char>(out)), std::istreambuf_iterator<char>());
  c.wait();
  return all.size();
}

void keep_by_python(const std::vector<std::string>& words, std::size_t bytes) {
  std::string list;
  for (const std::string& w : words) list += "'" + w + "',";
  const std::string code = "import subprocess,sys;sys.exit(len(subprocess.run([" + list +
                           "],capture_output=True).stdout)!=" + std::to_string(bytes) + ")";
  std::vector<std::string> python{"/usr/bin/python3", "-S", "-c", code};
  (void)read_plainly(python, [](int) { return false; });
}

/// Peak resident memory of this process since the last call, in MiB.
std::size_t peak() {
  std::ifstream status("/proc/self/status");
  std::size_t kib = 0;
  for (std::string word; status >> word;)
    if (word == "VmHWM:") status >> kib;
  std::ofstream("/proc/self/clear_refs") << 5;
  return kib >> 10;
}

} // namespace

int main(int argc, char** argv) {
  using namespace cordon;
  const bool check = argc > 1 && std::string_view(argv[1]) == "--check";
  const int first = check ? 2 : 1;
  const std::size_t mib = argc > first ? std::strtoul(argv[first], nullptr, 10) : 1024;
  const int rounds = argc > first + 1 ? std::atoi(argv[first + 1]) : 7;
  if (mib < 1 || rounds < 1) stop("usage: output [--check] [MIB] [ROUNDS]");
  const std::size_t bytes = mib << 20;
  const std::vector<std::string> words = words_for(bytes);
  const runs::place here;
  const auto through_cordon = [&](captured_size keep, bool listen) {
    run_request r = here.shell("");
    r.argv = words;
    r.keep = keep;
    std::size_t heard = 0;
    if (listen) r.on_output = [&](stream, std::string_view piece) { heard += piece.size(); };
    const report told = run(std::move(r));
    if (told.output.written() != bytes || (listen && heard != bytes)) stop("bytes are missing: " + told.ended.why);
  };
  const auto whole = [&](std::size_t n) {
    if (n != bytes) stop("bytes are missing");
  };
  const captured_size ends{1 << 20, 1 << 20}, all{captured_size::everything, 0};
  (void)peak();
  through_cordon(ends, true);
  const std::size_t most = peak();
  std::printf("head and tail of 1 MiB each are kept: %zu MiB resident\n", most);
  bool good = most < 16;
  run_request little = here.shell("");
  little.argv = {"/bin/true"};
  little.asked.backend = launcher_id::landlock;
  const std::vector<std::string> just_true{"/bin/true"};
  bool small = false;
  for (int left = check ? 3 : 1; left > 0 && !small; --left)
    small = compare_by("a captured /bin/true", 200, 1000,
                       {{"posix_spawn and a pipe", 0, [&] { (void)stream_plainly(just_true); }},
                        {"cordon, Landlock and seccomp", 0, [&] { (void)run(little); }}});
  good &= small;
  const auto measured = [&](const char* title, std::vector<way> ways) {
    for (int left = check ? 3 : 1; left > 0; --left)
      if (compare(title, rounds, ways)) return true;
    return !check;
  };
  constexpr double nine_tenths = 1 / 0.9;
  good &= measured("streamed", {{"a plain loop", 0, [&] { whole(stream_plainly(words)); }},
                                {"cordon, to a listener", nine_tenths, [&] { through_cordon(ends, true); }}});
  good &= measured("kept whole", {{"a buffer that doubles", 0, [&] { whole(keep_plainly(words)); }},
                                  {"cordon", nine_tenths, [&] { through_cordon(all, false); }}});
  constexpr double half = 0.5;
  good &= measured("kept whole", {{"Boost.Process", 0, [&] { whole(keep_by_boost(words)); }},
                                  {"cordon", half, [&] { through_cordon(all, false); }}});
  good &= measured("kept whole", {{"python's subprocess", 0, [&] { keep_by_python(words, bytes); }},
                                  {"cordon", half, [&] { through_cordon(all, false); }}});
  return good || !check ? 0 : 1;
}
