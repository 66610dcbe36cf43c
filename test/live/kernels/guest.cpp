// SPDX-License-Identifier: BSL-1.0
/// Runs the lines of a plan (kernels.py) in a world with targets that can be attacked, and prints how each ended and
/// what was noticed outside. As the first process of a machine it makes that machine's file systems before, and turns it
/// off after.
#include "machine.hpp"
#include "targets.hpp"

#include <fcntl.h>
#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/reboot.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

namespace {

using namespace guest;

/// One line of the plan, its parts divided by tabs: `run`, the user, the scene, milliseconds, the working directory and
/// the words of the command; or `file` and the text to print.
struct order {
  std::string kind;
  unsigned user = 0;
  std::string scene; ///< plain; tty: at a terminal; group: in a control group of its own, handed over to the user
  int milliseconds = 0;
  std::string directory;
  std::vector<std::string> words;
};

/// Processes that have lost their parent come here. Those that do not go within a moment are counted, and ended.
int orphans() {
  const std::string children = "/proc/self/task/" + std::to_string(getpid()) + "/children";
  for (int tries = 0; tries < 30; ++tries) {
    while (waitpid(-1, nullptr, WNOHANG) > 0) {}
    if (text_of(children).empty()) return 0;
    usleep(tries < 5 ? 1'000 : 10'000);
  }
  std::istringstream list(text_of(children));
  int count = 0;
  for (int pid = 0; list >> pid; ++count) kill(pid, SIGKILL);
  while (waitpid(-1, nullptr, 0) > 0) {}
  return count;
}

struct ended {
  int status = 0;
  long milliseconds = 0;
  std::string text, noticed;
  int orphans = 0;
};

[[noreturn]] void become(const order& o, int output, int terminal, std::vector<std::string> words) {
  setsid();
  if (terminal >= 0) ioctl(terminal, TIOCSCTTY, 0);
  dup2(terminal >= 0 ? terminal : open("/dev/null", O_RDONLY), 0);
  dup2(output, 1);
  dup2(output, 2);
  if (o.scene == "group") put(std::string(delegated_group::place) + "/cgroup.procs", "0");
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  if (o.user != 0 && (setgid(o.user) != 0 || setuid(o.user) != 0)) _exit(98);
  if (chdir(o.directory.c_str()) != 0) _exit(98);
  const char* const environment[]{"PATH=/bin", "HOME=/home", "LC_ALL=C.UTF-8", "CORDON_SANDBOX=enforce", nullptr};
  execve(arguments[0], arguments.data(), const_cast<char* const*>(environment));
  _exit(97);
}

/// What comes through until the end or until time is up; then the whole session of the command is ended.
void wait_for(ended& e, pid_t child, int from, int most) {
  const auto begin = std::chrono::steady_clock::now();
  const auto passed = [&] {
    return std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::steady_clock::now() - begin).count();
  };
  const int process = static_cast<int>(need(syscall(SYS_pidfd_open, child, 0), "pidfd_open"));
  fcntl(from, F_SETFL, O_NONBLOCK);
  bool late = false;
  for (bool over = false; !over;) {
    pollfd wanted[]{{process, POLLIN, 0}, {from, POLLIN, 0}};
    const long left = late ? 1000 : most - passed();
    poll(wanted, 2, left > 0 ? static_cast<int>(left) : 0);
    over = wanted[0].revents != 0;
    if (!over && passed() >= most) kill(-child, SIGKILL), late = true;
    char buffer[4096];
    for (ssize_t n = 0; (n = read(from, buffer, sizeof buffer)) > 0;)
      e.text.append(buffer, static_cast<std::size_t>(n));
    if (!over && (wanted[1].revents & POLLHUP) != 0) usleep(1000);
  }
  close(process);
  int status = 0;
  waitpid(child, &status, 0);
  e.milliseconds = passed();
  e.status = late ? 99 : WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

/// A terminal without a session; what is pushed into it can be read from its follower.
class spare_terminal {
public:
  spare_terminal() {
    need(openpty(&leader_, &follower_, nullptr, nullptr, nullptr), "openpty");
    termios settings{};
    tcgetattr(follower_, &settings);
    cfmakeraw(&settings);
    tcsetattr(follower_, TCSANOW, &settings);
    for (const int fd : {leader_, follower_}) fcntl(fd, F_SETFD, FD_CLOEXEC);
  }
  spare_terminal(const spare_terminal&) = delete;
  spare_terminal& operator=(const spare_terminal&) = delete;
  ~spare_terminal() { close(leader_), close(follower_); }

  [[nodiscard]] int follower() const { return follower_; }
  [[nodiscard]] bool is_written() const {
    pollfd pushed{follower_, POLLIN, 0};
    return poll(&pushed, 1, 0) > 0 && (pushed.revents & POLLIN) != 0;
  }

private:
  int leader_ = -1, follower_ = -1;
};

ended run(const order& o, targets& all) {
  ended e;
  all.renew(o.user, o.directory);
  std::vector<std::string> words;
  for (const std::string& word : o.words) words.push_back(all.filled(word));
  std::optional<spare_terminal> terminal;
  if (o.scene == "tty") terminal.emplace();
  std::optional<delegated_group> group;
  if (o.scene == "group") group.emplace(o.user);
  int output[2];
  need(pipe2(output, O_CLOEXEC), "pipe");
  const pid_t child = need(fork(), "fork");
  if (child == 0) become(o, output[1], terminal ? terminal->follower() : -1, std::move(words));
  close(output[1]);
  wait_for(e, child, output[0], o.milliseconds);
  close(output[0]);
  e.noticed = all.noticed();
  if (terminal && terminal->is_written()) e.noticed += ",terminal";
  e.orphans = orphans();
  if (const std::string left = group ? group->close() : ""; !left.empty()) e.text += "groups left:" + left + "\n";
  return e;
}

void tell(std::size_t number, const ended& e) {
  std::printf("\n@%zu %d %ld %d %s\n", number, e.status, e.milliseconds, e.orphans, e.noticed.c_str());
  std::istringstream lines(e.text);
  for (std::string line; std::getline(lines, line);) std::printf("| %s\n", line.c_str());
  std::fflush(stdout);
}

std::vector<order> read_plan(const char* file) {
  std::ifstream in(file);
  if (!in) broken(file);
  std::vector<order> plan;
  for (std::string line; std::getline(in, line);) {
    std::istringstream parts(line);
    std::vector<std::string> words;
    for (std::string word; std::getline(parts, word, '\t');) words.push_back(word);
    order o;
    o.kind = words.at(0);
    if (o.kind == "run") {
      o.user = static_cast<unsigned>(std::stoul(words.at(1)));
      o.scene = words.at(2);
      o.milliseconds = std::stoi(words.at(3));
      o.directory = words.at(4);
      words.erase(words.begin(), words.begin() + 5);
    } else words.erase(words.begin());
    o.words = std::move(words);
    plan.push_back(std::move(o));
  }
  return plan;
}

} // namespace

int main(int count, char** words) {
  const bool machine = getpid() == 1;
  if (machine) be_machine();
  raise_loopback();
  prctl(PR_SET_CHILD_SUBREAPER, 1);
  const fs::path top = count > 1 ? words[1] : "/world";
  {
    targets all(top / "outside");
    constexpr long landlock_create_ruleset = 444;
    std::printf("\n@abi %ld\n", syscall(landlock_create_ruleset, nullptr, 0, 1)); // -1: none
    std::size_t number = 0;
    for (const order& o : read_plan((top / "plan").c_str())) {
      if (o.kind == "run") tell(number, run(o, all));
      else tell(number, {0, 0, text_of(o.words.at(0)), "-", 0});
      ++number;
    }
  }
  std::printf("\n@end\n");
  std::fflush(stdout);
  if (machine) reboot(RB_POWER_OFF);
}
