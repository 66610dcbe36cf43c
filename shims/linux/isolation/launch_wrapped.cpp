// SPDX-License-Identifier: BSL-1.0
#include "launch_wrapped.hpp"

#include "../child/raw_syscall.hpp"
#include "../child/vfork.hpp"
#include "../files/memory_file.hpp"
#include "init_handoff.hpp"

#include <fcntl.h>
#include <sys/socket.h>
#include <sys/syscall.h>

#include <cstring>
#include <exception>
#include <string>
#include <vector>

namespace cordon::linux_shim {
namespace {

/// Appends text and tables to a handoff, with pointers at their final addresses.
class handoff_writer {
public:
  handoff_writer() { bytes_.resize(sizeof(init_handoff)); }

  template <class T> const T* add(const T* from, std::size_t count) {
    bytes_.resize((bytes_.size() + alignof(std::max_align_t) - 1) / alignof(std::max_align_t) *
                  alignof(std::max_align_t));
    const std::size_t at = bytes_.size();
    bytes_.append(reinterpret_cast<const char*>(from), count * sizeof(T));
    return init_handoff::at<T>(at);
  }
  template <class T> std::span<const T> add(std::span<const T> all) {
    return {add(all.data(), all.size()), all.size()};
  }
  char* add(const char* text) { return text ? const_cast<char*>(add(text, std::strlen(text) + 1)) : nullptr; }
  char* const* add(char* const* words) {
    std::vector<char*> all;
    for (; *words != nullptr; ++words) all.push_back(add(*words));
    all.push_back(nullptr);
    return add(all.data(), all.size());
  }

  descriptor seal(const init_handoff& l) {
    std::memcpy(bytes_.data(), &l, sizeof l);
    return memory_file(bytes_, "the set-up data of the init process");
  }

private:
  std::string bytes_;
};

/// Returns: the init process's part of the launch, without the stages that run outside the view.
[[nodiscard]] init_handoff inner_part(const child_setup& e, handoff_writer& to) {
  init_handoff l{e.what, e.how, *e.how.isolated, {}, {}};
  std::vector<own_rule> rules(l.own.rules.begin(), l.own.rules.end());
  for (own_rule& r : rules) r.place = to.add(r.place);
  l.own.rules = to.add(std::span<const own_rule>(rules));
  l.own.view = {}, l.own.user_map = l.own.group_map = nullptr, l.own.by = nullptr;
  l.how.reset_oom_score = false;
  for (const void** filter : {&l.how.filter, &l.how.notifying})
    if (*filter != nullptr) // in units of struct sock_filter
      *filter = to.add(static_cast<const std::uint64_t*>(*filter), e.how.filter_length);
  l.how.isolated = &init_handoff::at<init_handoff>(0)->own;
  l.what.path = to.add(e.what.path);
  l.what.argv = to.add(e.what.argv);
  l.what.envp = to.add(e.what.envp);
  l.what.keep = to.add(e.what.keep);
  l.what.groups = {};
  l.what.cgroup = -1;
  l.what.parent_death_signal = false;
  l.what.hook = nullptr;
  l.what.hook_data = nullptr;
  l.what.stdio[0] = l.what.stdio[1] = -1; // bwrap passes them on
  return l;
}

/// The two ends of a pipe or a socket.
struct two_ends {
  descriptor ours, theirs;
};

[[nodiscard]] int make_words(two_ends& to) {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) return errno;
  to = {descriptor(ends[0]), descriptor(ends[1])};
  return ::fcntl(ends[0], F_SETFL, O_NONBLOCK) == 0 ? 0 : errno;
}

[[nodiscard]] int make_answers(two_ends& to) {
  int ends[2];
  const int on = 1;
  if (::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0) return errno;
  to = {descriptor(ends[0]), descriptor(ends[1])};
  return ::setsockopt(ends[0], SOL_SOCKET, SO_PASSCRED, &on, sizeof on) == 0 ? 0 : errno;
}

/// Receives the next status and its sender's process id. Returns: false at the end, when bwrap ends or the reaper is
/// executed.
[[nodiscard]] bool receive_status(int from, init_status& what, int& who) {
  iovec room{&what, sizeof what};
  alignas(cmsghdr) char more[CMSG_SPACE(sizeof(ucred))];
  msghdr message{};
  message.msg_iov = &room, message.msg_iovlen = 1;
  message.msg_control = more, message.msg_controllen = sizeof more;
  ssize_t size = 0;
  do { size = ::recvmsg(from, &message, MSG_CMSG_CLOEXEC); } while (size < 0 && errno == EINTR);
  if (size != sizeof what) return false;
  who = 0;
  if (const cmsghdr* c = CMSG_FIRSTHDR(&message); c != nullptr && c->cmsg_type == SCM_CREDENTIALS) {
    ucred sender{};
    std::memcpy(&sender, CMSG_DATA(c), sizeof sender);
    who = sender.pid;
  }
  return true;
}

/// Reads bwrap's error text as one line.
void read_words(int from, failure& to) {
  const ssize_t size = ::read(from, to.words.data(), to.words.size() - 1);
  for (ssize_t i = 0; i < size; ++i) {
    char& c = to.words[static_cast<std::size_t>(i)];
    if (c == '\n') c = i + 1 < size ? ' ' : '\0';
  }
}

launched start(const child_setup& e) {
  launched result;
  const wrapper& by = *e.how.isolated->by;
  const auto fail = [&](launch_stage at, int error) { return result.why.at = at, result.why.error = error, result; };
  two_ends words, answers;
  if (const int error = make_words(words)) return fail(launch_stage::bubblewrap, error);
  if (const int error = make_answers(answers)) return fail(launch_stage::bubblewrap, error);
  // Opened anew for each launch, because a shared offset stays where the last reader stopped.
  const std::string path = "/proc/self/fd/" + std::to_string(by.arguments);
  const descriptor arguments(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!arguments) return fail(launch_stage::bubblewrap, errno);
  descriptor error_stream;
  handoff_writer to;
  init_handoff l = inner_part(e, to);
  if (l.what.stdio[2] < 3) { // bwrap has a different stderr
    error_stream = descriptor(::fcntl(l.what.stdio[2] < 0 ? 2 : l.what.stdio[2], F_DUPFD_CLOEXEC, 3));
    l.what.stdio[2] = error_stream.get();
  }
  l.status_socket = answers.theirs.get();
  if (const int error = find_host_path(e.program, l.program)) return fail(launch_stage::places, error);
  if (const int error = find_host_path(e.cwd, l.directory)) return fail(launch_stage::places, error);
  const descriptor sealed = to.seal(l);

  std::string list = std::to_string(arguments.get()), first = "/proc/self/fd/" + std::to_string(by.init_program),
              number = std::to_string(sealed.get());
  char name[] = "bwrap", option[] = "--args", end[] = "--";
  char* argv[]{name, option, list.data(), end, first.data(), number.data(), nullptr};
  char* const none[]{nullptr};
  std::vector<int> keep(e.what.keep.begin(), e.what.keep.end());
  for (const int fd : {arguments.get(), by.init_program, sealed.get(), answers.theirs.get(), l.own.reaper,
                       l.own.lifeline, l.what.status, l.what.terminal, l.what.watcher, l.what.stdio[2]})
    if (fd >= 0) keep.push_back(fd);
  keep.insert(keep.end(), by.places.begin(), by.places.end());

  command what = e.what;
  what.program = by.program;
  what.path = nullptr;
  what.argv = argv;
  what.envp = none; // the program's environment could make bwrap load code outside every rule
  what.cwd = what.terminal = what.watcher = -1;
  what.stdio[2] = words.theirs.get();
  what.keep = keep;
  confinement how;
  how.no_new_privs = how.drop_capabilities = false; // a set-id bwrap needs privileges; it drops them itself
  how.new_session = e.how.new_session;
  how.reset_oom_score = e.how.reset_oom_score;
  child_setup outer{what, how};
  outer.parent = e.parent;
  const vforked child = vfork_run(0, outer.cgroup, run_child_setup, &outer);
  if (child.error) return fail(launch_stage::clone, child.error);
  result.pid = child.pid;
  result.pidfd = child.pidfd;
  answers.theirs = {}, words.theirs = {};

  const auto stop = [&](launch_stage at, int error) {
    bring_down(result);
    read_words(words.ours.get(), result.why);
    return fail(at, error);
  };
  if (outer.error || outer.reached != launch_stage::exec)
    return stop(outer.reached == launch_stage::exec ? launch_stage::bubblewrap : outer.reached,
                outer.error ? outer.error : ECANCELED);
  init_status a;
  int who = 0;
  if (!receive_status(answers.ours.get(), a, who)) return stop(launch_stage::bubblewrap, ECANCELED);
  if (a.reached != launch_stage::first || a.error != 0) return stop(a.reached, a.error);
  // The init process waits for this byte, so its process id is still its own.
  result.init_pidfd = static_cast<int>(raw_syscall(SYS_pidfd_open, who, 0));
  if (result.init_pidfd < 0) return stop(launch_stage::first, errno);
  if (raw_syscall(SYS_write, answers.ours.get(), "", 1) != 1) return stop(launch_stage::first, errno);
  if (receive_status(answers.ours.get(), a, who)) return stop(a.reached, a.error);
  return result;
}

} // namespace

launched launch_wrapped(const child_setup& e) noexcept try { return start(e); } catch (const std::exception&) {
  launched none;
  none.why = {launch_stage::bubblewrap, ENOMEM};
  return none;
}

} // namespace cordon::linux_shim
