// SPDX-License-Identifier: BSL-1.0
/// Ways to a listener outside whose name the program can see: other names of it, and other states of the caller.
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <string>
#include <thread>

#include "attempt.hpp"

namespace attempt {
namespace {

constexpr socklen_t name_at = offsetof(sockaddr_un, sun_path);

struct unix_name {
  sockaddr_un bytes{};
  socklen_t size = sizeof bytes;

  explicit unix_name(const std::string& path) {
    bytes.sun_family = AF_UNIX;
    std::memcpy(bytes.sun_path, path.data(), std::min(path.size(), sizeof bytes.sun_path));
  }
};

outcome knock(int channel, const void* address, socklen_t size) {
  if (channel < 0 || connect(channel, static_cast<const sockaddr*>(address), size) != 0) return answer(-1);
  return answer(send(channel, "attacked", 8, MSG_NOSIGNAL));
}

outcome knock(const std::string& path, int channel = socket(AF_UNIX, SOCK_STREAM, 0)) {
  const unix_name to(path);
  return knock(channel, &to.bytes, to.size);
}

/// The path of a socket, in its two parts.
struct place {
  std::string path, directory, name;

  explicit place(const char* of)
      : path(of), directory(path.substr(0, path.rfind('/'))), name(path.substr(path.rfind('/') + 1)) {}
};

outcome by_link(const place& of) {
  const std::string first = of.directory + "/first", second = of.directory + "/second";
  if (symlink(of.name.c_str(), first.c_str()) != 0 || symlink(first.c_str(), second.c_str()) != 0) return answer(-1);
  return knock(second);
}

outcome by_hard_link(const place& of) {
  const std::string second = of.directory + "/second";
  return link(of.path.c_str(), second.c_str()) != 0 ? answer(-1) : knock(second);
}

outcome renamed(const place& of) {
  const std::string second = of.directory + "/second";
  return rename(of.path.c_str(), second.c_str()) != 0 ? answer(-1) : knock(second);
}

outcome in_a_moved_directory(const place& of) {
  const std::string from = of.directory + "/from", to = of.directory + "/to";
  if (mkdir(from.c_str(), 0755) != 0 || rename(of.path.c_str(), (from + "/" + of.name).c_str()) != 0 ||
      rename(from.c_str(), to.c_str()) != 0)
    return answer(-1);
  return knock(to + "/" + of.name);
}

outcome relative(const place& of) { return chdir(of.directory.c_str()) != 0 ? answer(-1) : knock(of.name); }

outcome by_dots(const place& of) { return knock(of.directory + "/dir/.././" + of.name); }

outcome by_current_directory(const place& of) {
  return chdir(of.directory.c_str()) != 0 ? answer(-1) : knock("/proc/thread-self/cwd/" + of.name);
}

outcome by_root(const place& of) { return knock("/proc/self/root" + of.path); }

outcome by_directory(const place& of) {
  const int directory = open(of.directory.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC);
  return directory < 0 ? answer(-1) : knock("/proc/self/fd/" + std::to_string(directory) + "/" + of.name);
}

outcome by_descriptor(const place& of) {
  const int file = open(of.path.c_str(), O_PATH | O_CLOEXEC);
  return file < 0 ? answer(-1) : knock("/proc/self/fd/" + std::to_string(file));
}

/// Without a zero at its end, and of exactly that size.
outcome unterminated(const place& of) {
  const unix_name to(of.path);
  return knock(socket(AF_UNIX, SOCK_STREAM, 0), &to.bytes, static_cast<socklen_t>(name_at + of.path.size()));
}

/// The name ends at the zero; what follows is ignored.
outcome with_a_tail(const place& of) {
  unix_name to(of.path);
  std::fill(to.bytes.sun_path + of.path.size() + 1, std::end(to.bytes.sun_path), 'x');
  return knock(socket(AF_UNIX, SOCK_STREAM, 0), &to.bytes, to.size);
}

/// The address is the last bytes of a page, and no page follows.
outcome at_the_end_of_a_page(const place& of) {
  constexpr std::size_t page = 4096;
  void* both = mmap(nullptr, 2 * page, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (both == MAP_FAILED || munmap(static_cast<char*>(both) + page, page) != 0) return broken("mmap");
  const unix_name to(of.path);
  const std::size_t size = name_at + of.path.size();
  char* address = static_cast<char*>(both) + page - size;
  std::memcpy(address, &to.bytes, size);
  return knock(socket(AF_UNIX, SOCK_STREAM, 0), address, static_cast<socklen_t>(size));
}

outcome from_a_thread(const place& of) {
  outcome said = outcome::broken;
  std::thread([&] { said = knock(of.path); }).join();
  return said;
}

outcome from_a_grandchild(const place& of) {
  const pid_t child = fork();
  if (child != 0) return child < 0 ? answer(child) : answer_of_child(child);
  const pid_t grandchild = fork();
  if (grandchild < 0) _exit(errno);
  _exit(static_cast<int>(grandchild == 0 ? knock(of.path) : answer_of_child(grandchild)));
}

/// Another process cannot read its memory by /proc/PID/mem.
outcome not_dumpable(const place& of) { return prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) != 0 ? answer(-1) : knock(of.path); }

outcome without_waiting(const place& of) { return knock(of.path, socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0)); }

outcome at_the_second_try(const place& of) {
  const int channel = socket(AF_UNIX, SOCK_STREAM, 0);
  const unix_name missing(of.directory + "/missing");
  if (connect(channel, reinterpret_cast<const sockaddr*>(&missing.bytes), missing.size) == 0) return broken("missing");
  return knock(of.path, channel);
}

outcome by_a_duplicate(const place& of) {
  const int channel = socket(AF_UNIX, SOCK_STREAM, 0);
  return channel < 0 ? answer(channel) : knock(of.path, dup(channel));
}

/// The socket has a name of its own.
outcome from_a_name(const place& of) {
  const int channel = socket(AF_UNIX, SOCK_STREAM, 0);
  const unix_name mine(of.directory + "/mine");
  if (bind(channel, reinterpret_cast<const sockaddr*>(&mine.bytes), mine.size) != 0) return answer(-1);
  return knock(of.path, channel);
}

outcome in_packets(const place& of) { return knock(of.path, socket(AF_UNIX, SOCK_SEQPACKET, 0)); }

struct way {
  const char* name;
  outcome (*run)(const place& of);
};

constexpr way ways[] = {
    {"link", by_link},
    {"hard_link", by_hard_link},
    {"new_name", renamed},
    {"moved_directory", in_a_moved_directory},
    {"relative", relative},
    {"dots", by_dots},
    {"current_directory", by_current_directory},
    {"root", by_root},
    {"directory", by_directory},
    {"descriptor", by_descriptor},
    {"unterminated", unterminated},
    {"tail", with_a_tail},
    {"end_of_page", at_the_end_of_a_page},
    {"thread", from_a_thread},
    {"grandchild", from_a_grandchild},
    {"not_dumpable", not_dumpable},
    {"without_waiting", without_waiting},
    {"second_try", at_the_second_try},
    {"duplicate", by_a_duplicate},
    {"from_a_name", from_a_name},
    {"packets", in_packets},
};

/// reach WAY PATH
outcome reach(arguments words) {
  for (const way& each : ways)
    if (std::strcmp(each.name, words.text(0)) == 0) return each.run(place(words.text(1)));
  return broken("no way of that name");
}

/// A message on a descriptor, with room for one descriptor beside it.
struct message {
  char byte = 'x';
  iovec text{&byte, 1};
  alignas(cmsghdr) char control[CMSG_SPACE(sizeof(int))] = {};
  msghdr whole{};

  message() {
    whole.msg_iov = &text, whole.msg_iovlen = 1;
    whole.msg_control = control, whole.msg_controllen = sizeof control;
  }
};

/// send_descriptor NUMBER: an open file, to the other end of that socket.
outcome send_descriptor(arguments words) {
  message m;
  cmsghdr* head = CMSG_FIRSTHDR(&m.whole);
  head->cmsg_level = SOL_SOCKET, head->cmsg_type = SCM_RIGHTS, head->cmsg_len = CMSG_LEN(sizeof(int));
  const int sent = open("/dev/null", O_RDONLY | O_CLOEXEC);
  std::memcpy(CMSG_DATA(head), &sent, sizeof sent);
  return answer(sendmsg(static_cast<int>(words.number(0)), &m.whole, MSG_NOSIGNAL));
}

/// use_received_descriptor NUMBER: writes to the descriptor that waits there.
outcome use_received_descriptor(arguments words) {
  message m;
  if (recvmsg(static_cast<int>(words.number(0)), &m.whole, MSG_DONTWAIT | MSG_CMSG_CLOEXEC) < 0) return answer(-1);
  const cmsghdr* head = CMSG_FIRSTHDR(&m.whole);
  if (head == nullptr || head->cmsg_type != SCM_RIGHTS) return refused_because("no_descriptor");
  int received = -1;
  std::memcpy(&received, CMSG_DATA(head), sizeof received);
  return answer(write(received, "attacked", 8));
}

constexpr act table[] = {
    {"reach", reach}, {"send_descriptor", send_descriptor}, {"use_received_descriptor", use_received_descriptor}};

} // namespace

std::span<const act> unix_socket_acts() { return table; }

} // namespace attempt
