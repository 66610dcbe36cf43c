// SPDX-License-Identifier: BSL-1.0
#include "environment.hpp"
#include "program.hpp"
#include "streams.hpp"

#include <cordon/format/write.hpp>
#include <cordon/guard.hpp>
#include <cordon/question.hpp>
#include <cordon/run/availability.hpp>
#include <cordon/run/launch.hpp>
#include <cordon/run/run.hpp>

#include <fcntl.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <iterator>
#include <tuple>
#include <utility>

namespace cordon {
namespace {

using namespace linux_shim;

[[nodiscard]] std::string current_directory() {
  std::error_code ec;
  const auto dir = std::filesystem::current_path(ec);
  if (ec) throw refused("the current directory cannot be found: " + ec.message());
  return dir.string();
}

/// What the policy itself says about starting this program here. Throws `refused`.
void check_start(const loaded_policy& p, const std::string& program, const std::string& directory) {
  const verdict run = may_process(p, right::run, program);
  if (run.axis == axis::level)
    throw refused("level " + std::string(name(p.level)) + " starts no process; it takes process_exec");
  if (run.axis == axis::capabilities) throw refused("the policy does not grant the capability process.exec");
  if (!run.allowed())
    throw refused("the policy does not let " + program + " be run; grant it with --run " +
                  std::string(path::parent(program)) + ", or say so in the policy");
  if (p.files().value(directory) == 0)
    throw refused("the current directory " + directory +
                  " lies outside every granted place; grant it, or name another with --cwd DIR");
}

/// Root without capabilities is nobody where everything belongs to somebody else. Throws `refused`.
void check_owner(const loaded_policy& p, const std::string& directory) {
  if (::geteuid() != 0 || !rights::from_bits(p.files().value(directory)).has(right::write)) return;
  struct stat st {};
  if (::stat(directory.c_str(), &st) != 0 || st.st_uid == 0 || (st.st_mode & S_IWOTH) != 0) return;
  const std::string user = std::to_string(st.st_uid), group = std::to_string(st.st_gid);
  throw refused(directory + " belongs to user " + user +
                ", where a confined root can write nothing; run as that user: setpriv --reuid=" + user +
                " --regid=" + group + " --init-groups cordon run ...");
}

/// Reading and writing end.
[[nodiscard]] std::pair<descriptor, descriptor> make_pipe() {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) throw refused(std::string("cannot make a pipe: ") + std::strerror(errno));
  return {descriptor(ends[0]), descriptor(ends[1])};
}

outcome failed(const launched& l, const prepared& ready, const std::string& program) {
  outcome o;
  const int e = l.why.error;
  const bool exec = l.why.at == linux_shim::step::exec;
  o.how = exec ? ending::not_executable : ending::refused;
  o.number = e;
  o.why = exec ? program + ": cannot be executed: " +
                     (e == ENOENT   ? "its interpreter does not exist"
                      : e == EACCES ? "the policy does not let it, or its interpreter, be run"
                                    : std::strerror(e))
               : ready.told(l.why);
  return o;
}

/// The namespaces could not be made, and no program has been started.
struct no_namespaces {
  std::string why;
};

/// Is it the host that has none of it to give, and not a place that has changed or a moment's want?
[[nodiscard]] bool is_refused_by_host(const failure& why) {
  using enum linux_shim::step;
  const bool of_namespaces =
      why.at == clone || why.at == ids || why.at == loopback || why.at == view || why.at == first;
  constexpr int refusals[]{EPERM, EACCES, ENOSYS, EINVAL, ENOSPC, EUSERS, EOPNOTSUPP, ENODEV, EXDEV};
  return of_namespaces && std::find(std::begin(refusals), std::end(refusals), why.error) != std::end(refusals);
}

/// Throws `refused` where the profile accepts less than what is in force.
void check_gaps(const prepared& ready, const run_request& request, profile in_force) {
  if (in_force != profile::os_hardened) return;
  std::string ids;
  for (const std::string& id : ready.not_accepted(request.accepted_gaps)) ids += " --accept-gap " + id;
  if (!ids.empty())
    throw refused("profile os_hardened accepts no gap that it was not told of; this host leaves:" + ids);
}

/// Starts the program under what `how` asks for, and waits for its end. Throws `no_namespaces`.
outcome start_under(prepare_options how, const loaded_policy& p, run_request& request, report& r,
                    const std::function<void(const report&)>& before_start) {
  const bool isolated = how.by != enclosure::landlock;
  // The first process is not the program's, nor is bwrap.
  const control_group group(p.limits, how.by == enclosure::bubblewrap ? 2 : isolated ? 1 : 0);
  how.group = &group;
  const prepared ready = prepare(p, how);
  r.mechanisms = ready.mechanisms();
  r.gaps = ready.gaps();
  r.limits = ready.limits();
  check_gaps(ready, request, r.profile);
  r.added_environment = ready.added_environment();
  std::string search = value_of(ready.environment(), "PATH");
  if (search.empty()) search = "/usr/local/bin:/usr/bin:/bin";
  found_program program = find_program(request.argv.front(), search, r.directory);
  if (program.how != ending::exited) {
    outcome o;
    o.how = program.how;
    o.why = program.why;
    return o;
  }
  r.program = program.real;
  if (r.profile != profile::unrestricted) check_start(p, program.real, r.directory);
  if (how.confine) check_owner(p, r.directory);
  const descriptor cwd(::open(r.directory.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW));
  if (!cwd) throw refused(r.directory + ": " + std::strerror(errno));

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
  what.parent_death_signal = true; // this thread waits for the program: they end together
  descriptor status, childs_status;
  if (isolated) std::tie(status, childs_status) = make_pipe();
  what.status = childs_status.get();

  if (before_start) before_start(r);
  const std::unique_ptr<terminal> own = how.confine ? terminal::make() : nullptr;
  streams through(p, own.get(), how.confine, what);
  supervisor watch(own.get());
  const launched child = launch(what, ready.confinement());
  through.forget_childs_ends();
  if (own) own->forget_inner();
  childs_status = {};
  if (!child && how.by == enclosure::namespaces && is_refused_by_host(child.why))
    throw no_namespaces{ready.told(child.why)};
  if (!child) return failed(child, ready, program.path);
  return watch.wait(child, p.limits[limit::timeout], p.limits[limit::output], through.take(), &group,
                    std::move(status));
}

/// Decides with what there is, and says so in the report. Throws `refused`.
[[nodiscard]] decision choose(const availability& here, run_request& request, report& r) {
  circumstances& c = request.asked;
  c.available = here.available;
  const decision d = select(c);
  r.selected = d.result;
  r.reason = d.why;
  r.profile = c.asked_profile.value_or(c.profile);
  r.backend = d.result == selection::confined ? here.name : "none";
  if (d.result == selection::usage_error || d.result == selection::refused)
    throw refused(std::string(d.why) + (here.available || here.why.empty() ? "" : " (" + here.why + ")"));
  return d;
}

outcome start(run_request& request, report& r, const std::function<void(const report&)>& before_start) {
  r.directory = std::filesystem::canonical(request.directory.value_or(current_directory())).string();
  circumstances& c = request.asked;
  c.profile = request.policy.profile;
  c.fallback = request.policy.fallback;
  availability here = probe_to_start(c.backend);
  decision d = choose(here, request, r);
  const loaded_policy p = r.profile == profile::unrestricted ? request.policy : resolve(request.policy, request.links);
  r.policy = format::write_json(p);
  const std::vector<std::string_view> words(request.argv.begin(), request.argv.end());
  // What the guard makes of arguments is advice; the policy's own word on programs is not.
  if (const guard_finding g = check_guard(p, std::span(words));
      g.code == guard_code::executable_refused || g.code == guard_code::interpreter_refused)
    throw refused("the guard refuses " + request.argv[g.argument] + ": " + std::string(g.why()));
  const auto start_by = [&](enclosure by) {
    const bool confine = d.result == selection::confined || d.go_on_with_what_there_is;
    return start_under({by, confine, request.environment}, p, request, r, before_start);
  };
  const auto chosen = [&] { return d.result == selection::confined ? here.by : enclosure::landlock; };
  try {
    return start_by(chosen());
  } catch (const no_namespaces& none) {
    // The whole probe, for the reason and the remedy.
    const availability why = probe_backend(backend::namespaces);
    if (c.backend == backend::namespaces) throw refused(why.available ? none.why : none.why + "; " + why.why);
  }
  here = probe_to_start(backend::landlock);
  if (!here.available)
    if (const availability other = probe_to_start(backend::bubblewrap); other.available) here = other;
  d = choose(here, request, r);
  return start_by(chosen());
}

} // namespace

report run(run_request request, const std::function<void(const report&)>& before_start) {
  report r;
  r.argv = request.argv;
  try {
    r.ended = start(request, r, before_start);
  } catch (const std::exception& e) {
    r.ended = {};
    r.ended.why = e.what();
  }
  return r;
}

} // namespace cordon
