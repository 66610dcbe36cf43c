// SPDX-License-Identifier: BSL-1.0
#include "attempt.hpp"

#include "../common/decide.hpp"
#include "../common/gaps.hpp"
#include "../posix/hard_links.hpp"
#include "../posix/kept_session.hpp"
#include "../posix/pointers.hpp"
#include "../posix/search.hpp"
#include "../posix/wait_readable.hpp"
#include "limits.hpp"
#include "own_directory.hpp"
#include "program.hpp"

#include <cordon/gap/run_gap_types.hpp>
#include <cordon/run/reasons.hpp>

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <string>
#include <utility>

namespace cordon::macos_shim {
namespace {

/// The directory in which a tool keeps its state: the project, or the working directory.
[[nodiscard]] const std::string& workspace_of(const report& r) {
  return r.project && !r.project->root.empty() ? r.project->root : r.directory;
}

/// Throws: `refused` if the kernel discards the exit statuses of children.
void check_children_can_be_read() {
  struct sigaction child {};
  ::sigaction(SIGCHLD, nullptr, &child);
  if (child.sa_handler == SIG_IGN || (child.sa_flags & SA_NOCLDWAIT) != 0)
    throw refused::because<reasons::sigchld_ignored>();
}

[[nodiscard]] std::uint64_t nanoseconds(const timeval& t) {
  return static_cast<std::uint64_t>(t.tv_sec) * 1'000'000'000 + static_cast<std::uint64_t>(t.tv_usec) * 1000;
}

/// Waits for the end of a child without reaping it: the kernel does not reuse the number of a process that is not
/// reaped.
void wait_unreaped(int pid) {
  siginfo_t info{};
  while (::waitid(P_PID, static_cast<id_t>(pid), &info, WEXITED | WNOWAIT) != 0 && errno == EINTR) {}
}

} // namespace

attempt::attempt(const loaded_policy& policy, run_request& request, report& r, bool confined, machine on)
    : policy_(policy),
      request_(request),
      report_(r),
      confined_(confined),
      on_(on),
      limits_(limits_of(policy.limits, r.limits)),
      run_(policy.limits, request, r) {
  const bool has_temp = confined && policy.files().lookup(run_temp) != 0 && !policy.is_any<axis_id::files>();
  if (!has_temp && !request.session.empty()) throw refused::because<reasons::session_without_temp>(request.session);
  if (has_temp) temp_ = request.session.empty() ? shim::run_directory::make() : shim::open_session(request.session);
  if (confined) confine();
  shim::check_gaps(r, request.accepted_gaps);
  make_environment();
}

void attempt::confine() {
  own_ = make_own_directory();
  prepared_ = std::make_unique<prepared>(policy_, seatbelt::target{.gateway_port = request_.gateway_port}, temp_.path(),
                                         own_.path());
  if (prepared_->made().error.code != diagnostic_code::ok)
    throw refused::because<reasons::policy_too_large>("a profile");
  shim::append_gaps(report_.gaps, prepared_->made().gaps);
  (void)shim::append_hard_links(report_.gaps, policy_);
  shim::state_run_gaps(report_.gaps, policy_, request_);
  // macOS has neither pid namespaces nor control groups, of which the type's description speaks.
  report_.gaps.push_back(
      gap_of(run_gaps::tree_session, {},
             "a process that leaves both its session and its parents outlives the run: nothing holds it"));
  report_.mechanisms = {{"seatbelt", "", "each start sees that a file which it could read is refused"}};
  fill_own_directory(own_, *prepared_);
}

void attempt::make_environment() {
  environment_ = shim::environment(policy_, request_.environment ? *request_.environment : shim::own_environment(),
                                   temp_.path(), confined_);
  if (request_.gateway_port != 0) {
    if (!prepared_ || prepared_->made().rules.gateway != request_.gateway_port)
      throw refused::because<reasons::gateway_unused>();
    environment_.name_proxy(request_.gateway_port);
  }
  report_.added_environment = environment_.added();
  report_.dropped_environment = environment_.dropped();
  for (std::string& name : environment_.names()) report_.environment.push_back(std::move(name));
}

attempt::~attempt() {
  if (is_running() && !gone_) {
    kill_tree(pid_, on_.all);
    int status = 0;
    while (::waitpid(pid_, &status, 0) < 0 && errno == EINTR) {}
  }
  deadline_.stop();
  streams_.stop();
  if (waiter_.joinable()) waiter_.join();
  streams_.end();
}

void attempt::open_directory() {
  directory_ = shim::descriptor(::open(report_.directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!directory_) throw refused::because<reasons::path_unknown>(report_.directory, std::strerror(errno));
}

words_to_start attempt::words_of(const shim::found_program& program) const {
  if (!confined_) return {request_.argv, {}};
  return words_for(policy_, program.path, program.real, request_.argv, workspace_of(report_));
}

launched attempt::launch(const shim::found_program& program, std::vector<std::string>& words) {
  std::vector<char*> argv = shim::pointers_to(words);
  command what;
  what.path = program.real.c_str();
  what.argv = argv.data();
  what.envp = const_cast<char* const*>(environment_.data());
  what.directory = directory_.get();
  what.limits = limits_.data();
  what.limit_count = limits_.size();
  wake_ = shim::make_pipe();
  for (const int fd : {wake_.from.get(), wake_.to.get()}) ::fcntl(fd, F_SETFL, O_NONBLOCK);
  streams_.open(request_.in, what);
  const launched l = confined_ ? on_.launch(what, prepared_->confinement()) : on_.launch_plain(what);
  streams_.forget_childs_ends();
  return l;
}

void attempt::report_failure(const failure& why, const std::string& program) {
  const std::string words = why.words[0] != '\0' ? why.words : std::strerror(why.error);
  if (why.at != bsd_shim::launch_stage::exec)
    throw refused::because<reasons::stage_failed>(bsd_shim::launch_stage_names[static_cast<int>(why.at)], words);
  shim::report_not_executable(program, why.error, words, report_);
}

void attempt::start(const callback<void(const report&)>& before_start) {
  check_children_can_be_read();
  const shim::found_program program =
      find_program(request_.argv.front(), shim::search_path(environment_.data()), report_.directory);
  if (!shim::accept_program(program, policy_, report_)) return;
  open_directory();
  words_to_start words = words_of(program);
  report_.added_arguments = words.added;
  if (before_start) before_start(report_);
  const launched l = launch(program, words.all);
  if (!l) return report_failure(l.why, program.real);
  pid_ = l.pid;
  run_.begin();
  watch();
  temp_.sweep_beside();
  own_.sweep_beside();
}

void attempt::watch() {
  const auto wake = [this] { this->wake(); };
  if (request_.owns_process) signals_.emplace(wake_.to.get());
  streams_.begin_output(wake);
  waiter_ = std::thread([this, wake, pid = pid_] {
    wait_unreaped(pid);
    ended_ = true;
    wake();
  });
  deadline_.begin(wake);
  constexpr std::uint64_t longest = 1'000'000'000ULL * 60 * 60 * 24 * 365;
  if (policy_.limits.has(limit::timeout))
    deadline_.set(run_.start() + std::min(policy_.limits[limit::timeout], longest));
  streams_.begin_input(request_.in);
}

void attempt::end(ending how, int number) {
  if (!is_running() || gone_) return;
  run_.decide(how, number);
  kill_tree(pid_, on_.all);
}

void attempt::finish() {
  gone_ = true;
  kill_tree(pid_, on_.all);
  int status = 0;
  rusage used{};
  while (::wait4(pid_, &status, 0, &used) < 0 && errno == EINTR) {}
  run_.stop_clock();
  outcome& o = report_.ended;
  o.cpu = nanoseconds(used.ru_utime) + nanoseconds(used.ru_stime);
  o.memory = static_cast<std::uint64_t>(used.ru_maxrss); // bytes on macOS
  // A process that has left the tree may still hold the streams.
  deadline_.set(shim::now() + shim::captured_run::patience);
  if (WIFEXITED(status)) return run_.decide(ending::exited, WEXITSTATUS(status));
  const int signal = WTERMSIG(status);
  const bool no_time = policy_.limits.has(limit::cpu) &&
                       (signal == SIGXCPU || (signal == SIGKILL && o.cpu >= policy_.limits[limit::cpu]));
  run_.decide(no_time ? ending::cpu_limit : ending::signaled, signal);
}

void attempt::take_events() {
  char bytes[256];
  for (ssize_t n = 0; (n = ::read(wake_.from.get(), bytes, sizeof bytes)) > 0;)
    for (ssize_t i = 0; i < n; ++i)
      if (bytes[i] != 0) end(ending::interrupted, bytes[i]);
  if (ended_ && !gone_) finish();
  if (!deadline_.take()) return;
  if (!gone_) end(ending::timed_out, 0);
  else streams_.stop();
}

bool attempt::advance() {
  if (!is_running()) return true;
  take_events();
  run_.pass_on([this] { return streams_.take(); }, [this](ending how, int number) { end(how, number); });
  return gone_ && streams_.is_over();
}

void attempt::wake() { (void)!::write(wake_.to.get(), "", 1); }

bool attempt::wait_for(std::uint32_t milliseconds) {
  return !is_running() || shim::wait_readable(wake_.from.get(), milliseconds);
}

int attempt::duplicate_descriptor() const { return is_running() ? ::fcntl(wake_.from.get(), F_DUPFD_CLOEXEC, 3) : -1; }

} // namespace cordon::macos_shim
