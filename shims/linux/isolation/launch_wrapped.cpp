// SPDX-License-Identifier: BSL-1.0
#include "launch_wrapped.hpp"

#include "../../posix/pipe.hpp"
#include "../child/descriptor_link.hpp"
#include "../child/raw_syscall.hpp"
#include "../child/vfork.hpp"
#include "../files/path_resolver.hpp"
#include "handoff_writer.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/syscall.h>

#include <cstring>
#include <exception>
#include <optional>
#include <string>
#include <vector>

namespace cordon::linux_shim {
namespace {

/// A socket for `init_status`.
struct status_ends {
  descriptor ours, theirs;
};

/// What a launch holds open until the program runs.
struct channels {
  shim::pipe_ends words; ///< bwrap's stderr; reading it never blocks
  status_ends answers;
  descriptor arguments;    ///< of bwrap, in a file
  descriptor error_stream; ///< of the program, if its number would be bwrap's
  descriptor sealed;       ///< the handoff
};

using failed = std::optional<failure>;

[[nodiscard]] int open_words(shim::pipe_ends& to) {
  if (const int error = shim::open_pipe(to)) return error;
  return ::fcntl(to.from.get(), F_SETFL, O_NONBLOCK) == 0 ? 0 : errno;
}

[[nodiscard]] int open_answers(status_ends& to) {
  int ends[2];
  const int on = 1;
  if (::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0) return errno;
  to = {descriptor(ends[0]), descriptor(ends[1])};
  return ::setsockopt(ends[0], SOL_SOCKET, SO_PASSCRED, &on, sizeof on) == 0 ? 0 : errno;
}

[[nodiscard]] failed open_channels(const wrapper& by, channels& to) {
  if (const int error = open_words(to.words)) return failure{launch_stage::bubblewrap, error};
  if (const int error = open_answers(to.answers)) return failure{launch_stage::bubblewrap, error};
  // Opened anew for each launch, because a shared offset stays where the last reader stopped.
  to.arguments = descriptor(::open(descriptor_path(by.arguments).c_str(), O_RDONLY | O_CLOEXEC));
  if (!to.arguments) return failure{launch_stage::bubblewrap, errno};
  return {};
}

/// `l`: the header of the handoff.
[[nodiscard]] failed write_handoff(const child_setup& e, channels& ch, init_handoff& l, handoff_writer& to) {
  if (l.what.stdio[2] < 3) { // bwrap has a different stderr
    ch.error_stream = descriptor(::fcntl(l.what.stdio[2] < 0 ? 2 : l.what.stdio[2], F_DUPFD_CLOEXEC, 3));
    l.what.stdio[2] = ch.error_stream.get();
  }
  l.status_socket = ch.answers.theirs.get();
  if (const int error = find_host_path(e.program, l.program)) return failure{launch_stage::places, error};
  if (const int error = find_host_path(e.cwd, l.directory)) return failure{launch_stage::places, error};
  ch.sealed = to.seal(l);
  return {};
}

/// The descriptors that bwrap and the init process inherit under the same numbers.
[[nodiscard]] std::vector<int> kept(const child_setup& e, const channels& ch, const init_handoff& l) {
  const wrapper& by = *e.how.isolated->by;
  std::vector<int> keep(e.what.keep.begin(), e.what.keep.end());
  for (const int fd : {ch.arguments.get(), by.init_program, ch.sealed.get(), ch.answers.theirs.get(), l.own.reaper,
                       l.own.lifeline, l.what.status, l.what.terminal, l.what.terminal_maker, l.what.watcher,
                       l.what.stdio[0], l.what.stdio[1], l.what.stdio[2]})
    if (fd >= 0) keep.push_back(fd);
  keep.insert(keep.end(), by.places.begin(), by.places.end());
  return keep;
}

/// bwrap's process, and whether it was executed.
struct spawned {
  vforked child;
  launch_stage reached = launch_stage::none;
  int error = 0;
};

[[nodiscard]] spawned spawn_bwrap(const child_setup& e, const channels& ch, const init_handoff& l) {
  const wrapper& by = *e.how.isolated->by;
  descriptor_link first(by.init_program);
  std::string list = std::to_string(ch.arguments.get()), number = std::to_string(ch.sealed.get());
  char name[] = "bwrap", option[] = "--args", end[] = "--";
  char* argv[]{name, option, list.data(), end, first.text, number.data(), nullptr};
  char* const none[]{nullptr};
  const std::vector<int> keep = kept(e, ch, l);

  command what = e.what;
  what.program = by.program;
  what.path = nullptr;
  what.argv = argv;
  what.envp = none; // the program's environment could make bwrap load code outside every rule
  what.cwd = what.terminal = what.terminal_maker = what.watcher = -1;
  what.stdio[2] = ch.words.to.get();
  if (l.what.stdio[1] >= 0) what.stdio[1] = ch.words.to.get();
  what.keep = keep;
  confinement how;
  how.no_new_privs = how.drop_capabilities = false; // a set-id bwrap needs privileges; it drops them itself
  how.new_session = e.how.new_session;
  how.reset_oom_score = e.how.reset_oom_score;
  child_setup outer{what, how};
  outer.parent = e.parent;
  const vforked child = vfork_run(0, outer.cgroup, run_child_setup, &outer);
  return {child, outer.reached, outer.error};
}

/// Waits for a status. Returns: false if bwrap has ended without one: a process that it left may hold the socket open.
[[nodiscard]] bool await_status(int from, int bwrap) {
  pollfd both[]{{from, POLLIN, 0}, {bwrap, POLLIN, 0}};
  while (::poll(both, bwrap < 0 ? 1 : 2, -1) < 0)
    if (errno != EINTR) return false;
  return both[0].revents != 0;
}

/// Receives the next status and its sender's process id. Returns: false at the end, when bwrap ends or the reaper is
/// executed.
[[nodiscard]] bool receive_status(int from, init_status& what, int& who) {
  iovec room{&what, sizeof what};
  alignas(cmsghdr) char more[CMSG_SPACE(sizeof(ucred))];
  msghdr message{};
  message.msg_iov = &room;
  message.msg_iovlen = 1;
  message.msg_control = more;
  message.msg_controllen = sizeof more;
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

/// Waits until the init process has started the program. Sets its pidfd.
[[nodiscard]] failed await_init(const spawned& by, const channels& ch, launched& child) {
  if (by.error || by.reached != launch_stage::exec)
    return failure{by.reached == launch_stage::exec ? launch_stage::bubblewrap : by.reached,
                   by.error ? by.error : ECANCELED};
  init_status a;
  int who = 0;
  const int answers = ch.answers.ours.get();
  const int bwrap = by.child.pidfd;
  if (!await_status(answers, bwrap) || !receive_status(answers, a, who))
    return failure{launch_stage::bubblewrap, ECANCELED};
  if (a.reached != launch_stage::init || a.error != 0) return failure{a.reached, a.error};
  // The init process waits for this byte, so its process id is still its own.
  child.init_pidfd = static_cast<int>(raw_syscall(SYS_pidfd_open, who, 0));
  if (child.init_pidfd < 0) return failure{launch_stage::init, errno};
  if (raw_syscall(SYS_write, answers, "", 1) != 1) return failure{launch_stage::init, errno};
  if (!await_status(answers, bwrap)) return failure{launch_stage::bubblewrap, ECANCELED};
  if (receive_status(answers, a, who)) return failure{a.reached, a.error};
  return {};
}

launched start(const child_setup& e) {
  launched child;
  const auto fail = [&child](const failure& why) {
    child.why = why;
    return child;
  };
  channels ch;
  if (const failed why = open_channels(*e.how.isolated->by, ch)) return fail(*why);
  handoff_writer to;
  init_handoff l = inner_part(e, to);
  if (const failed why = write_handoff(e, ch, l, to)) return fail(*why);
  const spawned bwrap = spawn_bwrap(e, ch, l);
  if (bwrap.child.error) return fail({launch_stage::clone, bwrap.child.error});
  child.pid = bwrap.child.pid;
  child.pidfd = bwrap.child.pidfd;
  ch.answers.theirs = {};
  ch.words.to = {};
  failed why = await_init(bwrap, ch, child);
  if (!why) return child;
  bring_down(child);
  read_words(ch.words.from.get(), *why);
  return fail(*why);
}

} // namespace

launched launch_wrapped(const child_setup& e) noexcept try { return start(e); } catch (const std::exception&) {
  launched none;
  none.why = {launch_stage::bubblewrap, ENOMEM};
  return none;
}

} // namespace cordon::linux_shim
