// SPDX-License-Identifier: BSL-1.0
/// Files, sockets, shared memory and a process that a confined program must not reach, and what became of them.
#pragma once

#include "machine.hpp"

#include <arpa/inet.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>

#include <cstddef>
#include <string>
#include <utility>

namespace guest {

inline int listen_at(const sockaddr* address, socklen_t size) {
  const int channel = need(socket(address->sa_family, SOCK_STREAM | SOCK_CLOEXEC, 0), "socket");
  need(bind(channel, address, size), "bind");
  need(listen(channel, 1000), "listen");
  return channel;
}

inline int listen_unix(const std::string& name) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  name.copy(address.sun_path, sizeof address.sun_path - 1);
  if (name[0] != '@') return listen_at(reinterpret_cast<sockaddr*>(&address), sizeof address);
  address.sun_path[0] = '\0';
  return listen_at(reinterpret_cast<sockaddr*>(&address),
                   static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + name.size()));
}

/// What lies outside of every workspace, and is looked at after each act.
class targets {
public:
  explicit targets(fs::path outside) : outside_(std::move(outside)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    const int tcp = listen_at(reinterpret_cast<sockaddr*>(&address), sizeof address);
    socklen_t size = sizeof address;
    need(getsockname(tcp, reinterpret_cast<sockaddr*>(&address), &size), "getsockname");
    port_ = ntohs(address.sin_port);
    listen_unix(name_);
    const fs::path socket = outside_ / "socket";
    fs::remove(socket);
    listen_unix(socket);
    fs::permissions(socket, fs::perms::all);
    memory_ = need(shmget(IPC_PRIVATE, 4096, 0666), "shmget");
    place_ = static_cast<char*>(shmat(memory_, nullptr, 0));
    if (place_ == reinterpret_cast<char*>(-1)) broken("shmat");
  }
  ~targets() { shmctl(memory_, IPC_RMID, nullptr); }
  targets(const targets&) = delete;
  targets& operator=(const targets&) = delete;

  void renew(unsigned user, const fs::path& workspace) {
    for (const auto& entry : fs::directory_iterator(outside_))
      if (entry.path().filename() != "socket") fs::remove_all(entry.path());
    put(outside_ / "file", "outside\n");
    fs::create_symlink("file", outside_ / "link");
    for (const fs::path& place : {outside_, outside_ / "file", outside_ / "link"})
      need(lchown(place.c_str(), user, user), "chown");
    for (const char* name : {"new", "empty"}) fs::remove_all(workspace / name);
    put(workspace / "file", "inside\n");
    fs::create_directory(workspace / "empty");
    for (const char* name : {"file", "empty"}) need(lchown((workspace / name).c_str(), user, user), "chown");
    std::strcpy(place_, "kept");
    start_victim(user);
  }

  /// Ends the victim, and prints what is not as it was made.
  std::string noticed() {
    std::string all;
    const auto tell = [&](bool changed, const char* what) {
      all += changed ? std::string(all.empty() ? "" : ",") + what : "";
    };
    std::error_code ec;
    std::size_t entries = 0;
    for (const auto& entry : fs::directory_iterator(outside_, ec)) entries += !entry.path().empty();
    struct stat file {};
    const bool there = stat((outside_ / "file").c_str(), &file) == 0;
    tell(!there || text_of(outside_ / "file") != "outside\n", "file");
    tell(there && (file.st_mode & 07777) != 0644, "mode");
    tell(entries != 3, "entries");
    tell(std::strcmp(place_, "kept") != 0, "memory");
    // Of fatal signals the first one decides, however slow the machine is (complete_signal, kernel/signal.c).
    kill(victim_, SIGUSR2);
    kill(victim_, SIGCONT);
    int status = 0;
    waitpid(victim_, &status, 0);
    tell(!WIFSIGNALED(status) || WTERMSIG(status) != SIGUSR2, "victim");
    return all.empty() ? "-" : all;
  }

  std::string filled(std::string word) const {
    for (const auto& [name, value] :
         {std::pair{"%pid", static_cast<long>(victim_)}, {"%port", long{port_}}, {"%shm", long{memory_}}})
      if (const auto at = word.find(name); at != word.npos) word.replace(at, std::strlen(name), std::to_string(value));
    return word;
  }

private:
  /// As attackable as can be: neither Yama nor the change of its user protects it.
  void start_victim(unsigned user) {
    int ready[2];
    need(pipe2(ready, O_CLOEXEC), "pipe");
    victim_ = need(fork(), "fork");
    if (victim_ == 0) {
      if (setgid(user) != 0 || setuid(user) != 0) _exit(1);
      prctl(PR_SET_PDEATHSIG, SIGKILL);
      prctl(PR_SET_DUMPABLE, 1);
      prctl(PR_SET_PTRACER, PR_SET_PTRACER_ANY);
      if (write(ready[1], "x", 1) != 1) _exit(1);
      for (;;) pause();
    }
    close(ready[1]);
    char byte = 0;
    if (read(ready[0], &byte, 1) != 1) broken("the victim");
    close(ready[0]);
  }

  static constexpr const char* name_ = "@cordon-kernels";
  fs::path outside_;
  int port_ = 0, memory_ = -1;
  pid_t victim_ = -1;
  char* place_ = nullptr;
};

} // namespace guest
