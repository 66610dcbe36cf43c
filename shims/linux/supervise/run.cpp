// SPDX-License-Identifier: BSL-1.0
#include "../../common/decide.hpp"
#include "../../common/environment.hpp"
#include "../../common/trusted_files.hpp"
#include "../../posix/held_streams.hpp"
#include "../child/momentary.hpp"
#include "../files/memory_file.hpp"
#include "../files/path_resolver.hpp"
#include "../prepare/listed_programs.hpp"
#include "../prepare/program.hpp"
#include "../probe/kernel.hpp"
#include "denied_calls.hpp"
#include "streams.hpp"

#include <cordon/linux/launch.hpp>
#include <cordon/linux/prepare.hpp>
#include <cordon/run/resolve.hpp>
#include <cordon/run/run.hpp>

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <iterator>
#include <utility>

namespace cordon {
namespace {

using namespace linux_shim;
using shim::choose;

/// Opens the working directory by the checked path. Throws: `refused`, also if a component has become a symbolic link.
[[nodiscard]] descriptor open_directory(const std::string& place, struct stat& st) {
  descriptor opened = open_place(AT_FDCWD, place.c_str());
  if (opened && ::fstat(opened.get(), &st) == 0 && S_ISDIR(st.st_mode)) return opened;
  if (!opened && errno == ELOOP) throw refused(place + " has become a symbolic link since it was resolved");
  throw refused(place + ": " + std::strerror(opened ? ENOTDIR : errno));
}

/// Checks that a root without capabilities can write in a directory that another user owns. Throws: `refused`.
void check_owner(const loaded_policy& p, const std::string& directory, const struct stat& st) {
  if (::geteuid() != 0 || !rights::from_bits(p.files().lookup(directory)).has(right::write)) return;
  if (st.st_uid == 0 || (st.st_mode & S_IWOTH) != 0) return;
  const std::string user = std::to_string(st.st_uid), group = std::to_string(st.st_gid);
  throw refused(directory + " belongs to user " + user +
                ", where a confined root can write nothing; run as that user: setpriv --reuid=" + user +
                " --regid=" + group + " --init-groups cordon run ...");
}

[[nodiscard]] outcome failed(const launched& l, const prepared& ready, const std::string& program) {
  outcome o;
  const int e = l.why.error;
  const bool exec = l.why.at == linux_shim::launch_stage::exec;
  o.how = exec ? ending::not_executable : ending::refused;
  o.number = e;
  o.why = exec ? program + ": cannot be executed: " +
                     (e == ENOENT   ? "its interpreter does not exist"
                      : e == EACCES ? "the policy does not let it, or its interpreter, be run"
                                    : std::strerror(e))
               : ready.describe_failure(l.why);
  if (exec && is_momentary(e)) o.how = ending::refused;
  if (is_momentary(l.why)) o.why += "; " + std::string(try_again);
  return o;
}

/// The namespaces could not be made; no program has been started.
struct no_namespaces {
  std::string why;
};

/// Does the host refuse the namespaces? Not if a path has changed or a resource was missing for a moment. All these
/// stages precede the start of the program, so it has done nothing yet.
[[nodiscard]] bool is_refused_by_host(const failure& why) {
  using enum linux_shim::launch_stage;
  const bool of_namespaces = why.at == clone || why.at == ids || why.at == loopback || why.at == view;
  if (is_momentary(why)) return false;
  constexpr int refusals[]{EPERM, EACCES, ENOSYS, EINVAL, ENOSPC, EUSERS, EOPNOTSUPP, ENODEV, EXDEV};
  return of_namespaces && std::find(std::begin(refusals), std::end(refusals), why.error) != std::end(refusals);
}

/// Adds the gaps of a run in which this process manages only its own children.
void state_tree(std::vector<reported_gap>& to, const control_group& group) {
  if (group.directories().empty())
    to.push_back({gap_kind::unenforced, "tree.session",
                  "a process that leaves its session and its parents outlives the run: neither a pid namespace nor a "
                  "control group holds it"});
  to.push_back({gap_kind::unenforced, "tree.launcher",
                "if the embedding process is killed, the program continues: no pid namespace ends it"});
}

/// The kernel refuses a listener, or another filter has one already: cordon serves no port.
void state_no_ports(std::vector<reported_gap>& to, const prepared& ready) {
  for (const reported_gap& g : ready.gaps())
    if (g.id == "seccomp.listen" && std::none_of(to.begin(), to.end(), [&](const auto& t) { return t.id == g.id; }))
      to.push_back(g);
}

/// The state of one launch, for as long as the program runs. Destroyed in reverse order.
struct started_run {
  started_run(const prepare_options& how, const loaded_policy& p, run_request& request, report& r);

  /// Starts the program. Throws: `no_namespaces`, `refused`.
  void start(run_request& request, report& r, const std::function<void(const report&)>& before_start);
  /// Launches once, or again after a temporary lack of a resource.
  [[nodiscard]] launched launch_patiently(command& what);
  void tell_denials(report& r);

  const loaded_policy& policy;
  enclosure by;
  bool confined, isolated, on_its_own;
  control_group group;
  prepared ready;
  std::unique_ptr<terminal> own;
  std::unique_ptr<streams> through;
  std::unique_ptr<process_wide_state> process;
  std::unique_ptr<denied_calls> denied;
  std::unique_ptr<supervision> watch;
};

[[nodiscard]] prepare_options with(prepare_options how, const loaded_policy& p, const run_request& request,
                                   const report& r, const control_group& group) {
  how.group = &group;
  // The guard has allowed the first word, by its name or by the name of the file.
  const std::string& first = request.argv.front();
  const std::string started =
      first.find('/') == first.npos || first.starts_with('/') ? first : r.directory + "/" + first;
  const char* const search = std::getenv("PATH");
  if (how.confine) how.programs = listed_programs(p, search == nullptr ? "" : search, started);
  return how;
}

// The extra processes (init, and bwrap) are not the program's; they add to its limit of processes.
started_run::started_run(const prepare_options& how, const loaded_policy& p, run_request& request, report& r)
    : policy(p),
      by(how.by),
      confined(how.confine),
      isolated(confined && how.by != enclosure::landlock),
      on_its_own(!isolated && !request.owns_process),
      group(p.limits,
            !isolated                         ? 0
            : how.by == enclosure::bubblewrap ? 2
                                              : 1,
            on_its_own),
      ready(prepare(p, with(how, p, request, r, group))) {
  r.mechanisms = ready.mechanisms();
  r.gaps = ready.gaps();
  if (on_its_own && confined) state_tree(r.gaps, group);
  // With a watched filter, cordon makes the calls about listed ports for the program.
  if (ready.confinement().notifying != nullptr && served_ports(p).any())
    std::erase_if(r.gaps, [](const reported_gap& g) { return g.id == "seccomp.listen"; });
  if (confined) state_streams(r.gaps, request, p);
  if (confined) state_later(r.gaps, request.globs);
  if (confined) shim::state_writable(r.gaps, p, request.trusted_files);
  r.limits = ready.limits();
  shim::check_gaps(r, request.accepted_gaps);
  r.added_environment = ready.added_environment();
  r.dropped_environment = ready.dropped_environment();
  r.environment.clear();
  for (const char* const* e = ready.environment(); *e != nullptr; ++e)
    r.environment.emplace_back(*e, std::strcspn(*e, "="));
}

launched started_run::launch_patiently(command& what) {
  patience left;
  for (;;) {
    const launched child = launch(what, ready.confinement());
    if (child || !is_momentary(child.why) || !left.again()) return child;
    if (!denied) continue;
    denied->renew();
    what.watcher = denied->childs_end();
  }
}

void started_run::start(run_request& request, report& r, const std::function<void(const report&)>& before_start) {
  std::string search = shim::value_of(ready.environment(), "PATH");
  if (search.empty()) search = "/usr/local/bin:/usr/bin:/bin";
  found_program program = find_program(request.argv.front(), search, r.directory);
  if (program.how != ending::exited) {
    r.ended.how = program.how;
    r.ended.why = program.why;
    return;
  }
  r.program = program.real;
  if (r.profile != profile::unrestricted) shim::check_start(policy, program.real, r.directory);
  struct stat st {};
  const descriptor cwd = open_directory(r.directory, st);
  if (confined) check_owner(policy, r.directory, st);

  std::vector<char*> argv;
  for (std::string& a : request.argv) argv.push_back(a.data());
  argv.push_back(nullptr);
  command what;
  what.program = program.file.get();
  what.path = program.path.c_str();
  what.argv = argv.data();
  what.envp = const_cast<char* const*>(ready.environment());
  what.cwd = cwd.get();
  what.groups = group.directories();
  what.parent_death_signal = request.owns_process; // otherwise the starting thread may end long before the program
  descriptor status, childs_status;
  if (isolated) {
    int ends[2];
    if (::pipe2(ends, O_CLOEXEC) != 0) throw refused(std::string("cannot make a pipe: ") + std::strerror(errno));
    status = descriptor(ends[0]), childs_status = descriptor(ends[1]);
  }
  what.status = childs_status.get();

  if (before_start) before_start(r);
  if (confined && request.owns_process) own = terminal::make();
  const streams::hold held = isolated ? streams::hold::view : confined ? streams::hold::rights : streams::hold::nothing;
  through = std::make_unique<streams>(policy, request, own.get(), held, r, what);
  // bwrap is not an init process: if it is killed, its children live on for a moment.
  if (request.owns_process) process = std::make_unique<process_wide_state>(isolated && by == enclosure::namespaces);
  if (ready.confinement().notifying != nullptr) {
    denied = std::make_unique<denied_calls>(ready.confinement(), this_kernel().cpu, policy);
    what.watcher = denied->childs_end();
  }
  watch = std::make_unique<supervision>(supervision::surroundings{process.get(), own.get(), &group, denied.get()},
                                        policy.limits);
  const launched child = launch_patiently(what);
  through->forget_childs_ends();
  if (denied) denied->begin();
  if (child && served_ports(policy).any() && (!denied || !denied->sees())) state_no_ports(r.gaps, ready);
  if (own) own->forget_inner();
  childs_status = {};
  if (child) {
    watch->begin(child, through->take(), std::move(status), isolated);
    return ready.sweep_temp();
  }
  watch.reset();
  if (isolated && by == enclosure::namespaces && is_refused_by_host(child.why))
    throw no_namespaces{ready.describe_failure(child.why)};
  r.ended = failed(child, ready, program.path);
}

void started_run::tell_denials(report& r) {
  r.sees_calls = denied && denied->sees();
  r.sees_errors = through->hears_errors();
  if (denied) r.denials = denied->all();
  const std::vector<denial> said = through->take_denials();
  r.denials.insert(r.denials.end(), said.begin(), said.end());
}

} // namespace

struct process_run::parts {
  shim::held_streams streams; ///< destroyed last
  run_request request;
  report result;
  std::unique_ptr<started_run> now;

  void start(const std::function<void(const report&)>& before_start);
};

void process_run::parts::start(const std::function<void(const report&)>& before_start) {
  report& r = result;
  r.id = new_identity();
  r.argv = request.argv;
  r.project = request.project;
  shim::check_texts(request);
  r.directory = shim::place_to_run_in(request);
  selection_input& c = request.asked;
  c.profile = request.policy.profile;
  c.fallback = request.policy.fallback;
  shim::check_no_gateway(request);
  availability here = probe_to_start(c.backend);
  selection_result d = choose(here, request, r);
  std::vector<link_on_the_way> links;
  r.policy = r.profile == profile::unrestricted ? request.policy : resolve(request.policy, request.links, &links);
  const loaded_policy& p = *r.policy;
  const std::vector<std::string_view> words(request.argv.begin(), request.argv.end());
  shim::check_words(p, request, words, r);
  const auto start_by = [&](enclosure by) {
    const bool confine = d.result == selection::confined || d.apply_available_mechanisms;
    now.reset();
    try {
      now = std::make_unique<started_run>(prepare_options{by, confine, request.environment, links}, p, request, r);
    } catch (const no_own_program&) {
      if (confine && by == enclosure::namespaces) throw no_namespaces{"the first process has no program"};
      throw;
    }
    now->start(request, r, before_start);
  };
  const auto chosen = [&] { return d.result == selection::confined ? here.by : enclosure::landlock; };
  constexpr int most_tries = 2; // if a full probe finds namespaces, a second start uses them
  for (int tries = 1; tries <= most_tries; ++tries) {
    try {
      return start_by(chosen());
    } catch (const no_namespaces& none) {
      // A full probe, for the reason and the remedy.
      const availability why = probe_backend(launcher_id::namespaces);
      if (why.untried) throw refused(none.why + "; " + why.why);
      if (why.available && tries < most_tries) continue;
      if (c.backend == launcher_id::namespaces) throw refused(why.available ? none.why : none.why + "; " + why.why);
      break;
    }
  }
  here = probe_to_start(launcher_id::landlock);
  if (!here.available && !here.untried)
    if (const availability other = probe_to_start(launcher_id::bubblewrap); other.available) here = other;
  d = choose(here, request, r);
  start_by(chosen());
}

process_run::process_run(run_request request, const std::function<void(const report&)>& before_start)
    : parts_(std::make_unique<parts>()) {
  parts_->request = std::move(request);
  try {
    parts_->start(before_start);
  } catch (const std::exception& e) {
    parts_->now.reset();
    parts_->result.ended = {};
    parts_->result.ended.why = e.what();
  }
}
process_run::process_run(process_run&&) noexcept = default;
process_run& process_run::operator=(process_run&&) noexcept = default;
process_run::~process_run() = default;

int process_run::descriptor() const {
  return parts_ && parts_->now && parts_->now->watch ? parts_->now->watch->descriptor() : -1;
}
int process_run::duplicate_descriptor() const {
  return descriptor() < 0 ? -1 : ::fcntl(descriptor(), F_DUPFD_CLOEXEC, 3);
}
bool process_run::advance() { return descriptor() < 0 || parts_->now->watch->advance(); }
bool process_run::wait_for(std::uint32_t milliseconds) {
  pollfd event{descriptor(), POLLIN, 0};
  const int limit =
      milliseconds == ~std::uint32_t{0} ? -1 : static_cast<int>(std::min<std::uint32_t>(milliseconds, INT_MAX));
  return event.fd < 0 || ::poll(&event, 1, limit) != 0;
}
progress process_run::so_far() const { return descriptor() < 0 ? progress() : parts_->now->watch->so_far(); }
bool process_run::is_interactive() const {
  return parts_ && parts_->now && parts_->now->own != nullptr && parts_->now->own->takes_keys();
}
void process_run::cancel() {
  if (descriptor() >= 0) parts_->now->watch->cancel();
}

report process_run::wait() {
  while (!advance()) parts_->now->watch->wait();
  return take();
}

report process_run::take() {
  if (!parts_) return shim::empty_report(shim::moved_from);
  if (descriptor() >= 0) {
    parts_->result.ended = parts_->now->watch->result();
    parts_->now->tell_denials(parts_->result);
  }
  parts_->now.reset();
  return std::exchange(parts_->result, shim::empty_report(shim::taken_before));
}

} // namespace cordon
