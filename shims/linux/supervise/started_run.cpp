// SPDX-License-Identifier: BSL-1.0
#include "started_run.hpp"

#include "../../common/decide.hpp"
#include "../../posix/pipe.hpp"
#include "../../posix/pointers.hpp"
#include "../../posix/search.hpp"
#include "../calls/served_ports.hpp"
#include "../child/momentary.hpp"
#include "../child/received_descriptor.hpp"
#include "../prepare/listed_programs.hpp"
#include "../probe/kernel.hpp"
#include "launch_failure.hpp"
#include "working_directory.hpp"

#include <cordon/backend/seccomp/gap_types.hpp>
#include <cordon/gap/run_gap_types.hpp>
#include <cordon/run/given_places.hpp>

#include <fcntl.h>
#include <sys/socket.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <utility>
#include <vector>

namespace cordon::linux_shim {
namespace {

/// Adds the gaps of a run in which this process manages only its own children.
void state_tree(std::vector<reported_gap>& to, const control_group& group) {
  if (group.directories().empty()) to.push_back(gap_of(run_gaps::tree_session));
  to.push_back(gap_of(run_gaps::tree_launcher));
}

[[nodiscard]] bool is_about_ports(const reported_gap& g) { return g.id == seccomp::gaps::listen.id; }

/// The kernel refuses a listener, or another filter has one already: cordon serves no port.
void state_no_ports(std::vector<reported_gap>& to, const prepared& ready) {
  for (const reported_gap& g : ready.gaps())
    if (is_about_ports(g) && std::none_of(to.begin(), to.end(), is_about_ports)) to.push_back(g);
}

/// The same: cordon cannot connect for the program, which therefore has no unix sockets.
void state_no_unix_sockets(std::vector<reported_gap>& to) {
  std::erase_if(to, [](const reported_gap& g) { return g.id == run_gaps::sockets_peer_pid.id; });
  to.push_back(gap_of(seccomp::gaps::own_unix));
}

/// The documents' own names: the policy has no entry for what it does not grant.
void state_given(std::vector<reported_gap>& to, const run_request& request, bool has_view) {
  std::vector<std::string_view> listed;
  for (const named_place& n : request.links.named.files) {
    if (!n.allowed.empty() || !is_given(n.place, has_view)) continue;
    if (std::find(listed.begin(), listed.end(), n.place) != listed.end()) continue;
    listed.push_back(n.place);
    to.push_back(gap_of(run_gaps::files_private, n.place));
  }
}

/// The extra processes (init, and bwrap) are not the program's; they add to its limit of processes.
[[nodiscard]] std::uint64_t extra_processes(bool isolated, enclosure by) {
  if (!isolated) return 0;
  return by == enclosure::bubblewrap ? 2 : 1;
}

[[nodiscard]] prepare_options with(prepare_options how, const loaded_policy& p, const run_request& request,
                                   const report& r, const control_group& group) {
  how.group = &group;
  // The guard has allowed the first word, by its name or by the name of the file. A bare name is looked up in PATH.
  const std::string& first = request.argv.front();
  const bool is_name = first.find('/') == first.npos;
  const std::string started = is_name ? std::string() : first.starts_with('/') ? first : r.directory + "/" + first;
  const char* const search = std::getenv("PATH");
  if (how.confine) how.programs = listed_programs(p, search == nullptr ? "" : search, started);
  return how;
}

} // namespace

started_run::started_run(const prepare_options& how, const loaded_policy& p, run_request& request, report& r)
    : policy_(p),
      request_(request),
      report_(r),
      by_(how.by),
      confined_(how.confine),
      isolated_(confined_ && how.by != enclosure::landlock),
      on_its_own_(!isolated_ && !request.owns_process),
      group_(p.limits, extra_processes(isolated_, how.by), on_its_own_),
      ready_(prepare(p, with(how, p, request, r, group_))) {
  r.mechanisms = ready_.mechanisms();
  state_gaps();
  r.limits = ready_.limits();
  shim::check_gaps(r, request.accepted_gaps);
  state_environment();
}

void started_run::state_gaps() {
  std::vector<reported_gap>& gaps = report_.gaps;
  gaps = ready_.gaps();
  if (on_its_own_ && confined_) state_tree(gaps, group_);
  // With a watched filter, cordon makes the calls about listed ports for the program.
  if (ready_.confinement().notifying != nullptr && served_ports(policy_).any()) std::erase_if(gaps, is_about_ports);
  if (!confined_) return;
  state_streams(gaps, request_, policy_);
  shim::state_run_gaps(gaps, policy_, request_);
  state_given(gaps, request_, isolated_);
}

void started_run::state_environment() {
  report_.added_environment = ready_.added_environment();
  report_.dropped_environment = ready_.dropped_environment();
  report_.environment.clear();
  for (const char* const* e = ready_.environment(); *e != nullptr; ++e)
    report_.environment.emplace_back(*e, std::strcspn(*e, "="));
}

launched started_run::launch_patiently(command& what) {
  patience left;
  for (;;) {
    const launched child = launch(what, ready_.confinement());
    if (child || !is_momentary(child.why) || !left.again()) return child;
    if (!denied_) continue;
    denied_->renew();
    what.watcher = denied_->childs_end();
  }
}

command started_run::command_for(const found_program& program) {
  command what;
  what.program = program.file.get();
  what.path = program.path.c_str();
  what.envp = const_cast<char* const*>(ready_.environment());
  what.groups = group_.directories();
  what.parent_death_signal = request_.owns_process; // otherwise the starting thread may end long before the program
  return what;
}

void started_run::make_terminals(command& what) {
  output_ = terminal::behind_streams();
  own_.output = output_.get();
  if (output_ && output_->takes() == terminal::input::at_once) own_.controlling = output_.get();
  // Only the init process can tell that the program waits for keys, and only a view has the name /dev/tty.
  else if (isolated_ && (on_demand_ = terminal::behind_controlling())) own_.controlling = on_demand_.get();
  what.reports_stops = isolated_;
  int ends[2];
  if (!isolated_ || own_.controlling == nullptr) return;
  if (::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0, ends) != 0)
    throw refused::because<reasons::no_terminal>(std::strerror(errno));
  terminal_from_ = descriptor(ends[0]);
  terminal_to_ = descriptor(ends[1]);
  what.terminal_maker = terminal_to_.get();
}

/// Each attempt of a launch may have sent one; the last one counts.
void started_run::receive_terminal() {
  terminal_to_ = {};
  while (terminal_from_)
    if (descriptor outer = receive_descriptor(terminal_from_.get()); outer) own_.controlling->replace(std::move(outer));
    else terminal_from_ = {};
}

void started_run::surround(command& what) {
  if (confined_ && request_.owns_process) make_terminals(what);
  const streams::hold held = isolated_   ? streams::hold::view
                             : confined_ ? streams::hold::rights
                                         : streams::hold::nothing;
  through_ = std::make_unique<streams>(policy_, request_, own_, held, report_, what);
  // bwrap is not an init process: if it is killed, its children live on for a moment.
  if (request_.owns_process) process_ = std::make_unique<process_wide_state>(isolated_ && by_ == enclosure::namespaces);
  if (ready_.confinement().notifying != nullptr) {
    denied_ = std::make_unique<denied_calls>(ready_.confinement(), this_kernel().cpu, policy_);
    what.watcher = denied_->childs_end();
  }
  if (!request_.publish.empty())
    ports_ = std::make_unique<published_ports>(request_.publish, policy_, report_.backend, isolated_);
  watch_ = std::make_unique<supervision>(supervision::surroundings{process_.get(), own_.output, own_.controlling,
                                                                   &group_, denied_.get(), ports_.get(),
                                                                   request_.stop.stop_possible()},
                                         policy_.limits);
}

void started_run::forget_childs_ends() {
  through_->forget_childs_ends();
  if (denied_) denied_->begin();
  for (terminal* own : {own_.output, own_.controlling})
    if (own != nullptr) own->forget_inner();
  receive_terminal();
}

void started_run::start(const callback<void(const report&)>& before_start) {
  const found_program program =
      find_program(request_.argv.front(), shim::search_path(ready_.environment()), report_.directory);
  if (!shim::accept_program(program, policy_, report_)) return;
  struct stat st {};
  const descriptor cwd = open_directory(report_.directory, st);
  if (confined_) check_owner(policy_, report_.directory, st);

  std::vector<char*> argv = shim::pointers_to(request_.argv);
  command what = command_for(program);
  what.argv = argv.data();
  what.cwd = cwd.get();
  shim::pipe_ends status;
  if (isolated_) status = shim::make_pipe();
  what.status = status.to.get();

  if (before_start) before_start(report_);
  surround(what);
  const launched child = launch_patiently(what);
  forget_childs_ends();
  if (child && served_ports(policy_).any() && (!denied_ || !denied_->sees())) state_no_ports(report_.gaps, ready_);
  if (child && ready_.confinement().supervises_connect && (!denied_ || !denied_->connects()))
    state_no_unix_sockets(report_.gaps);
  status.to = {};
  if (child) {
    const int first = child.init_pidfd >= 0 ? child.init_pidfd : child.pidfd;
    if (ports_) ports_->begin(descriptor(::fcntl(first, F_DUPFD_CLOEXEC, 3)));
    watch_->begin(child, through_->take(), std::move(status.from), isolated_);
    return ready_.sweep_temp();
  }
  watch_.reset();
  if (isolated_ && by_ == enclosure::namespaces && is_refused_by_host(child.why))
    throw no_namespaces{ready_.describe_failure(child.why)};
  report_.ended = outcome_of(child.why, ready_, program.path);
}

std::optional<std::size_t> started_run::write_input(std::string_view bytes) {
  if (!through_ || !through_->input()) return std::nullopt;
  const written done = put_all(through_->input().get(), bytes);
  if (done.error == 0) return done.size;
  through_->close_input();
  return std::nullopt;
}

void started_run::complete_report() {
  report_.ended = watch_->result();
  report_.sees_calls = denied_ && denied_->sees();
  report_.sees_errors = through_->hears_errors();
  if (denied_) report_.denials = denied_->all();
  const std::vector<denial> said = through_->take_denials();
  report_.denials.insert(report_.denials.end(), said.begin(), said.end());
}

} // namespace cordon::linux_shim
