// SPDX-License-Identifier: BSL-1.0
#include "attempt.hpp"

#include "../common/decide.hpp"
#include "../common/gaps.hpp"
#include "../common/trusted_files.hpp"
#include "../posix/hard_links.hpp"
#include "../posix/search.hpp"
#include "nested_arguments.hpp"

#include <cordon/query/query.hpp>

#include <fcntl.h>
#include <poll.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <climits>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <system_error>

namespace cordon::macos_shim {
namespace {

using shim::descriptor;

[[nodiscard]] std::uint64_t now() {
  return static_cast<std::uint64_t>(
      std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now().time_since_epoch())
          .count());
}

[[nodiscard]] std::string words_of(int error) { return std::generic_category().message(error); }

void make_pipe(descriptor& from, descriptor& to) {
  int ends[2];
  if (::pipe(ends) != 0) throw refused("cannot make a pipe: " + words_of(errno));
  from = descriptor(ends[0]), to = descriptor(ends[1]);
  for (const int fd : ends) ::fcntl(fd, F_SETFD, FD_CLOEXEC);
}

/// Write end of the pipe that the signal handler wakes: that of the run with `owns_process`. -1: none.
volatile std::sig_atomic_t told_of_signals = -1;
constexpr int asking[]{SIGHUP, SIGINT, SIGQUIT, SIGTERM}; ///< signals that request the end

void on_signal(int number) {
  const int error = errno;
  const char byte = static_cast<char>(number);
  (void)!::write(told_of_signals, &byte, 1);
  errno = error;
}

struct found_program {
  std::string path, real;
  ending how = ending::exited;
  std::string why;
};

[[nodiscard]] int examine_program(const std::string& path, found_program& to) {
  struct stat st {};
  if (::stat(path.c_str(), &st) != 0) return errno;
  if (!S_ISREG(st.st_mode)) return EACCES;
  if (::access(path.c_str(), X_OK) != 0) return errno;
  char real[PATH_MAX];
  if (::realpath(path.c_str(), real) == nullptr) return errno;
  to.path = path, to.real = real;
  return 0;
}

/// Not in a directory for temporary files, which most policies make writable.
[[nodiscard]] shim::run_directory make_own_directory() {
  const char* const home = std::getenv("HOME");
  if (home == nullptr || home[0] != '/') return shim::run_directory::make();
  const std::string caches = std::string(home) + "/Library/Caches/cordon";
  std::error_code ec;
  std::filesystem::create_directories(caches, ec);
  if (!ec) std::filesystem::permissions(caches, std::filesystem::perms::owner_all, ec);
  if (ec) throw refused(caches + ": " + ec.message());
  return shim::run_directory::make(caches);
}

void write_file(const std::string& name, const std::string& text) {
  std::ofstream file(name);
  file << text;
  if (!file.flush()) throw refused(name + " cannot be written");
}

/// The directory in which a tool keeps its state: the project, or the working directory.
[[nodiscard]] const std::string& workspace_of(const report& r) {
  return r.project && !r.project->root.empty() ? r.project->root : r.directory;
}

/// Limits of each process: macOS has no limit for a process tree.
[[nodiscard]] std::vector<bsd_shim::resource_limit> limits_of(const limits& wanted, report& r) {
  struct known {
    limit which;
    int resource;
    std::uint64_t unit;
    std::string_view grade;
  };
  constexpr known all[]{{limit::cpu, RLIMIT_CPU, 1'000'000'000, "best_effort"},
                        {limit::open_files, RLIMIT_NOFILE, 1, "enforced"},
                        {limit::file_size, RLIMIT_FSIZE, 1, "enforced"}};
  std::vector<bsd_shim::resource_limit> made;
  for (std::size_t i = 0; i < limit_names.size(); ++i) {
    const auto l = static_cast<limit>(i);
    if (!wanted.has(l)) continue;
    stated_limit told{l, wanted[l], "none", ""};
    if (l == limit::timeout || l == limit::output) told.grade = "enforced", told.by = "cordon";
    for (const known& k : all)
      if (k.which == l) {
        const std::uint64_t value = (wanted[l] + k.unit - 1) / k.unit;
        made.push_back({k.resource, value, value});
        told.grade = k.grade, told.by = "setrlimit";
      }
    r.limits.push_back(std::move(told));
  }
  return made;
}

} // namespace

attempt::attempt(const loaded_policy& policy, run_request& request, report& r, bool confined, machine on)
    : policy_(policy),
      request_(request),
      told_(r),
      confined_(confined),
      on_(on),
      limits_(limits_of(policy.limits, r)),
      output_sink_(policy.limits, request, r) {
  const bool has_temp = confined && policy.files().lookup(run_temp) != 0 && !policy.is_any<axis_id::files>();
  if (has_temp) temp_ = shim::run_directory::make();
  if (confined) {
    own_ = make_own_directory();
    prepared_ = std::make_unique<prepared>(policy, seatbelt::target{.gateway_port = request.gateway_port}, temp_.path(),
                                           own_.path());
    if (prepared_->made().error.code != errc::ok) throw refused("the policy is too large for a profile");
    shim::append_gaps(r.gaps, prepared_->made().gaps);
    (void)shim::append_hard_links(r.gaps, policy);
    state_later(r.gaps, request.globs);
    shim::state_writable(r.gaps, policy, request.trusted_files);
    r.gaps.push_back({gap_kind::unenforced, "tree.session",
                      "a process that leaves both its session and its parents outlives the run: nothing holds it"});
    r.mechanisms = {{"seatbelt", "", "each start sees that a file which it could read is refused"}};
    write_file(own_.path() + "/probe", "cordon");
    write_file(own_.path() + "/profile", prepared_->profile());
  }
  shim::check_gaps(r, request.accepted_gaps);
  environment_ = shim::environment(policy, request.environment ? *request.environment : shim::own_environment(),
                                   temp_.path(), confined);
  if (request.gateway_port != 0) {
    if (!prepared_ || prepared_->made().rules.gateway != request.gateway_port)
      throw refused("a gateway is for a confined run whose policy lists hosts: this one has none, or reaches all");
    environment_.name_proxy(request.gateway_port);
  }
  r.added_environment = environment_.added();
  r.dropped_environment = environment_.dropped();
  for (const std::string& v : environment_.all()) r.environment.push_back(v.substr(0, v.find('=')));
}

attempt::~attempt() {
  if (is_running() && !gone_) {
    kill_tree(pid_, on_.all);
    int status = 0;
    while (::waitpid(pid_, &status, 0) < 0 && errno == EINTR) {}
  }
  {
    const std::lock_guard guard(lock_);
    is_over_ = true;
  }
  changed_.notify_all();
  stops_ = {}, input_writes_ = {};
  for (std::thread* t : {&waiter_, &clock_, &writer_})
    if (t->joinable()) t->join();
  streams_.reset();
  if (before_.empty()) return;
  for (std::size_t i = 0; i < before_.size(); ++i) ::sigaction(asking[i], &before_[i], nullptr);
  told_of_signals = -1;
}

void attempt::give_input(command& what) {
  switch (request_.in.from) {
  case input::source::bytes: make_pipe(input_, input_writes_); break;
  case input::source::file:
    input_ = shim::descriptor(::open(request_.in.text.c_str(), O_RDONLY | O_CLOEXEC | O_NOCTTY));
    if (!input_) throw refused(request_.in.text + ": " + words_of(errno));
    break;
  case input::source::caller: {
    // A terminal is not passed on: the program could read what the user types for another program, or push input into
    // it. Sockets and directories could reach past the profile.
    struct stat st {};
    if (::fstat(STDIN_FILENO, &st) == 0 && (S_ISREG(st.st_mode) || S_ISFIFO(st.st_mode)))
      input_ = shim::descriptor(::fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 3));
    break;
  }
  case input::source::nothing: break;
  }
  if (!input_) input_ = shim::descriptor(::open("/dev/null", O_RDONLY | O_CLOEXEC));
  what.stdio[0] = input_.get();
}

void attempt::start(const std::function<void(const report&)>& before_start) {
  report& r = told_;
  std::string search = shim::value_of(environment_.data(), "PATH");
  if (search.empty()) search = "/usr/local/bin:/usr/bin:/bin";
  struct sigaction child {};
  ::sigaction(SIGCHLD, nullptr, &child);
  if (child.sa_handler == SIG_IGN || (child.sa_flags & SA_NOCLDWAIT) != 0)
    throw refused("this process ignores SIGCHLD, so no exit status can be read; restore its default");
  const found_program program =
      shim::search_program<found_program>(request_.argv.front(), search, r.directory, examine_program);
  if (program.how != ending::exited) {
    r.ended.how = program.how;
    r.ended.why = program.why;
    return;
  }
  r.program = program.real;
  if (r.profile != profile::unrestricted) shim::check_start(policy_, program.real, r.directory);
  directory_ = shim::descriptor(::open(r.directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!directory_) throw refused(r.directory + ": " + words_of(errno));
  words_to_start words{request_.argv, {}};
  if (confined_) words = words_for(policy_, program.path, program.real, request_.argv, workspace_of(r));
  r.added_arguments = words.added;
  if (before_start) before_start(r);

  std::vector<char*> argv;
  for (std::string& a : words.all) argv.push_back(a.data());
  argv.push_back(nullptr);
  command what;
  what.path = program.real.c_str();
  what.argv = argv.data();
  what.envp = const_cast<char* const*>(environment_.data());
  what.directory = directory_.get();
  what.limits = limits_.data(), what.limit_count = limits_.size();
  make_pipe(woken_, wakes_);
  for (const int fd : {woken_.get(), wakes_.get()}) ::fcntl(fd, F_SETFL, O_NONBLOCK);
  make_pipe(stop_, stops_);
  make_pipe(output_, childs_output_);
  make_pipe(error_, childs_error_);
  what.stdio[1] = childs_output_.get(), what.stdio[2] = childs_error_.get();
  give_input(what);
  const launched l = confined_ ? on_.launch(what, prepared_->confinement()) : on_.launch_plain(what);
  childs_output_ = {}, childs_error_ = {}, input_ = {};
  if (!l) {
    const bool exec = l.why.at == bsd_shim::launch_stage::exec;
    std::string why = l.why.words[0] != '\0' ? l.why.words : words_of(l.why.error);
    if (!exec)
      throw refused(std::string("cannot start the program: stage ") +
                    bsd_shim::launch_stage_names[static_cast<int>(l.why.at)] + ": " + why);
    r.ended.how = ending::not_executable;
    r.ended.number = l.why.error;
    r.ended.why = program.real + ": cannot be executed: " + why;
    return;
  }
  pid_ = l.pid;
  start_ = now();
  watch();
  temp_.sweep_beside();
  own_.sweep_beside();
}

/// From now on every event is a byte in one pipe.
void attempt::watch() {
  const auto wake = [to = wakes_.get()] { (void)!::write(to, "", 1); };
  if (request_.owns_process) {
    told_of_signals = wakes_.get();
    for (const int number : asking) {
      struct sigaction ours {
      }, before{};
      ours.sa_handler = on_signal;
      ::sigaction(number, nullptr, &before);
      before_.push_back(before);
      if (before.sa_handler != SIG_IGN) ::sigaction(number, &ours, nullptr); // as under nohup(1)
    }
  }
  streams_.emplace(wake);
  const auto reader = [stop = stop_.get()](int from) {
    // When reading stops, up to 64 KiB that the pipe already holds are the program's. Later bytes may come from another
    // process.
    return [from, stop, left = std::size_t{64} << 10](char* to, std::size_t room) mutable {
      for (;;) {
        pollfd both[]{{from, POLLIN, 0}, {stop, POLLIN, 0}};
        if (::poll(both, 2, -1) < 0) continue;
        const bool last = both[1].revents != 0;
        if (last && (both[0].revents == 0 || left == 0)) return std::size_t{0};
        const ssize_t n = ::read(from, to, last ? std::min(room, left) : room);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) return std::size_t{0};
        if (last) left -= static_cast<std::size_t>(n);
        return static_cast<std::size_t>(n);
      }
    };
  };
  streams_->begin(reader(output_.get()), reader(error_.get()));
  waiter_ = std::thread([this, wake, pid = pid_] {
    // Not reaped here: the kernel does not reuse the number of a process that is not reaped.
    siginfo_t info{};
    while (::waitid(P_PID, static_cast<id_t>(pid), &info, WEXITED | WNOWAIT) != 0 && errno == EINTR) {}
    ended_ = true;
    wake();
  });
  clock_ = std::thread([this, wake] { run_clock(wake); });
  constexpr std::uint64_t longest = 1'000'000'000ULL * 60 * 60 * 24 * 365;
  if (policy_.limits.has(limit::timeout)) set_alarm(start_ + std::min(policy_.limits[limit::timeout], longest));
  if (!input_writes_) return;
  ::fcntl(input_writes_.get(), F_SETFL, O_NONBLOCK);
  writer_ = std::thread([to = input_writes_.release(), stop = stop_.get(), &text = request_.in.text] {
    const shim::descriptor owned(to);
    sigset_t broken; // SIGPIPE: the program need not read
    sigemptyset(&broken);
    sigaddset(&broken, SIGPIPE);
    ::pthread_sigmask(SIG_BLOCK, &broken, nullptr);
    for (std::string_view left = text; !left.empty();) {
      pollfd both[]{{to, POLLOUT, 0}, {stop, POLLIN, 0}};
      if (::poll(both, 2, -1) < 0) continue;
      if (both[1].revents != 0) return;
      const ssize_t n = ::write(to, left.data(), left.size());
      if (n < 0 && errno != EINTR && errno != EAGAIN) return;
      if (n > 0) left.remove_prefix(static_cast<std::size_t>(n));
    }
  });
}

void attempt::run_clock(const std::function<void()>& wake) {
  std::unique_lock guard(lock_);
  while (!is_over_) {
    if (alarm_ == never) {
      changed_.wait(guard);
      continue;
    }
    if (const std::uint64_t t = now(); t < alarm_) {
      changed_.wait_for(guard, std::chrono::nanoseconds(alarm_ - t));
      continue;
    }
    alarm_ = never;
    late_ = true;
    wake();
  }
}

void attempt::set_alarm(std::uint64_t moment) {
  {
    const std::lock_guard guard(lock_);
    alarm_ = moment;
  }
  changed_.notify_all();
}

void attempt::end(ending how, int number) {
  if (!is_running() || gone_) return;
  if (!std::exchange(decided_, true)) told_.ended.how = how, told_.ended.number = number;
  kill_tree(pid_, on_.all);
}

void attempt::cancel() { end(ending::interrupted, SIGKILL); }

void attempt::finish() {
  gone_ = true;
  kill_tree(pid_, on_.all);
  int status = 0;
  rusage used{};
  while (::wait4(pid_, &status, 0, &used) < 0 && errno == EINTR) {}
  outcome& o = told_.ended;
  o.wall = now() - start_;
  const auto nanoseconds = [](const timeval& t) {
    return static_cast<std::uint64_t>(t.tv_sec) * 1'000'000'000 + static_cast<std::uint64_t>(t.tv_usec) * 1000;
  };
  o.cpu = nanoseconds(used.ru_utime) + nanoseconds(used.ru_stime);
  o.memory = static_cast<std::uint64_t>(used.ru_maxrss); // bytes on macOS
  // A process that has left the tree may still hold the streams.
  constexpr std::uint64_t patience = 100'000'000;
  late_ = false;
  set_alarm(now() + patience);
  if (std::exchange(decided_, true)) return;
  const bool exited = WIFEXITED(status);
  const int signal = exited ? 0 : WTERMSIG(status);
  const bool no_time = policy_.limits.has(limit::cpu) &&
                       (signal == SIGXCPU || (signal == SIGKILL && o.cpu >= policy_.limits[limit::cpu]));
  o.how = exited ? ending::exited : no_time ? ending::cpu_limit : ending::signaled;
  o.number = exited ? WEXITSTATUS(status) : signal;
}

bool attempt::advance() {
  if (!is_running()) return true;
  char bytes[256];
  for (ssize_t n = 0; (n = ::read(woken_.get(), bytes, sizeof bytes)) > 0;)
    for (ssize_t i = 0; i < n; ++i)
      if (bytes[i] != 0) end(ending::interrupted, bytes[i]);
  if (ended_ && !gone_) finish();
  if (late_.exchange(false)) {
    if (!gone_) end(ending::timed_out, 0);
    else stops_ = {};
  }
  try {
    for (const shim::capture::piece& p : streams_->take()) {
      if (output_sink_.receive(p.from, p.bytes)) continue;
      end(ending::output_quota, 0);
      if (told_.ended.how == ending::exited) told_.ended.how = ending::output_quota, told_.ended.number = 0;
    }
  } catch (...) {
    end(ending::interrupted, SIGKILL);
    throw;
  }
  return gone_ && streams_->is_over();
}

bool attempt::wait_for(std::uint32_t milliseconds) {
  if (!is_running()) return true;
  pollfd event{woken_.get(), POLLIN, 0};
  return ::poll(&event, 1, milliseconds > INT_MAX ? -1 : static_cast<int>(milliseconds)) != 0;
}

int attempt::duplicate_descriptor() const { return is_running() ? ::fcntl(woken_.get(), F_DUPFD_CLOEXEC, 3) : -1; }

progress attempt::so_far() const { return {now() - start_, told_.ended.output_bytes, 0}; }

void attempt::tell() {
  told_.sees_errors = true;
  told_.denials = output_sink_.take_denials();
}

} // namespace cordon::macos_shim
