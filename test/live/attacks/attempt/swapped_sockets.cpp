// SPDX-License-Identifier: BSL-1.0
/// Connections whose address, name or descriptor other threads change while the call is judged.
#include <fcntl.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdio>
#include <cstring>
#include <string>
#include <thread>
#include <vector>

#include "attempt.hpp"

namespace attempt {
namespace {

sockaddr_un named(const std::string& path) {
  sockaddr_un to{};
  to.sun_family = AF_UNIX;
  path.copy(to.sun_path, sizeof to.sun_path - 1);
  return to;
}

int listening(const std::string& path) {
  const int channel = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  const sockaddr_un at = named(path);
  if (channel < 0 || bind(channel, reinterpret_cast<const sockaddr*>(&at), sizeof at) != 0) return -1;
  return listen(channel, 128) == 0 ? channel : -1;
}

/// A listener of the run and one outside, in the same directory, and what changes between them.
class stage {
public:
  stage(const std::string& outside, long tries)
      : outside_(outside),
        directory_(outside.substr(0, outside.rfind('/'))),
        mine_(directory_ + "/mine"),
        left_(tries),
        memory_(named(mine_)) {}

  bool run() {
    const int own = listening(mine_);
    const int second = listening(directory_ + "/exchanged");
    if (own < 0 || second < 0) return false;
    std::vector<std::thread> threads;
    for (const int channel : {own, second}) std::thread([channel] { accept_all(channel); }).detach();
    for (const auto change :
         {&stage::change_memory, &stage::change_link, &stage::exchange_names, &stage::change_descriptor})
      threads.emplace_back([this, change] {
        while (left_ > 0) (this->*change)();
      });
    for (const auto knock : {&stage::by_memory, &stage::by_link, &stage::by_name, &stage::by_descriptor})
      threads.emplace_back([this, knock] {
        while (left_-- > 0) (this->*knock)();
      });
    for (std::thread& each : threads) each.join();
    return true;
  }

private:
  static void accept_all(int channel) {
    while (true) close(accept4(channel, nullptr, nullptr, SOCK_CLOEXEC));
  }

  static void knock(int channel, const sockaddr_un& to) {
    (void)connect(channel, reinterpret_cast<const sockaddr*>(&to), sizeof to);
    (void)send(channel, "reached", 7, MSG_NOSIGNAL | MSG_DONTWAIT);
  }

  static void knock(const sockaddr_un& to) {
    const int channel = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    knock(channel, to);
    close(channel);
  }

  void change_memory() {
    for (const std::string* path : {&outside_, &mine_}) {
      const sockaddr_un next = named(*path);
      std::memcpy(&memory_, &next, sizeof next);
      std::this_thread::yield();
    }
  }
  void by_memory() { knock(memory_); }

  void change_link() {
    const std::string next = directory_ + "/next", turn = directory_ + "/link";
    for (const std::string* path : {&outside_, &mine_}) {
      (void)!symlink(path->c_str(), next.c_str());
      (void)rename(next.c_str(), turn.c_str());
    }
  }
  void by_link() { knock(named(directory_ + "/link")); }

  /// The name of the listener outside is that of one of the run, and back.
  void exchange_names() {
    const std::string other = directory_ + "/exchanged";
    (void)renameat2(AT_FDCWD, outside_.c_str(), AT_FDCWD, other.c_str(), RENAME_EXCHANGE);
    std::this_thread::yield();
  }
  void by_name() { knock(named(directory_ + "/exchanged")); }

  /// One number is a socket of the run, one that is connected already, or no socket.
  void change_descriptor() {
    std::array<int, 2> pair{};
    const int fresh = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0), file = open("/dev/null", O_RDWR | O_CLOEXEC);
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair.data()) != 0) return;
    for (const int each : {fresh, pair[0], file}) {
      dup3(each, number, O_CLOEXEC);
      std::this_thread::yield();
      close(each);
    }
    close(pair[1]);
  }
  void by_descriptor() { knock(number, memory_); }

  static constexpr int number = 200;
  std::string outside_, directory_, mine_;
  std::atomic<long> left_;
  sockaddr_un memory_; // without a lock: the race is the attack
};

/// swap OUTSIDE TRIES: happened if all were tried; whether one was successful is seen outside.
outcome swap(arguments words) {
  const long tries = words.number(1);
  if (!stage(words.text(0), tries).run()) return answer(-1);
  std::printf("tried %ld\n", tries);
  return outcome::happened;
}

constexpr act table[] = {{"swap", swap}};

} // namespace

std::span<const act> swapped_socket_acts() { return table; }

} // namespace attempt
