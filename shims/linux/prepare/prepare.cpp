// SPDX-License-Identifier: BSL-1.0
#include "../../common/environment.hpp"
#include "../../common/gaps.hpp"
#include "../../posix/hard_links.hpp"
#include "../../posix/kept_session.hpp"
#include "../../posix/run_directory.hpp"
#include "../child/read_file.hpp"
#include "../isolation/mount_points.hpp"
#include "../isolation/own_view.hpp"
#include "../isolation/planned_isolation.hpp"
#include "../probe/kernel.hpp"
#include "core_dumps.hpp"
#include "limits.hpp"
#include "listed_programs.hpp"
#include "ruleset.hpp"

#include <cordon/backend/linux.hpp>
#include <cordon/backend/seccomp/core_limit.hpp>
#include <cordon/backend/seccomp/refusing.hpp>
#include <cordon/gap/run_gap_types.hpp>
#include <cordon/linux/prepare.hpp>
#include <cordon/run/reasons.hpp>

#include <fcntl.h>
#include <linux/capability.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/syscall.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <type_traits>

namespace cordon {

using namespace linux_shim;
using shim::append_gaps;
using shim::run_directory;

/// On the heap, so that the confinement's pointers stay valid when the owner moves.
struct prepared::parts {
  run_directory temp; ///< removed last
  std::string session;
  linux_shim::confinement confinement;
  descriptor ruleset;
  std::unique_ptr<planned_isolation> isolation;
  seccomp::program filter, notifying;
  core_handler core = core_handler_here();
  std::vector<reported_gap> gaps;
  std::vector<mechanism> mechanisms;
  std::vector<stated_limit> limits;
  shim::environment environment;

  void state_core();
  void stand_alone(const loaded_policy& policy, const kernel& here, const prepare_options& options);
  template <class View>
  void isolate(const loaded_policy& policy, const kernel& here, const prepare_options& options, mechanism maker);
  void state_landlock(const kernel& here) {
    mechanisms.push_back({"landlock", "ABI " + std::to_string(here.landlock_abi), "a probe was refused"});
  }
  /// Returns: false if this kernel has no filters; adds the gap.
  /// `supervised`: with a watcher, which makes connect(2), the program may have unix sockets; without one it has none.
  [[nodiscard]] bool use_filter(const seccomp::filter_spec& wanted, const kernel& here, bool supervised = false) {
    if (!here.seccomp) {
      gaps.push_back(gap_of(seccomp::gaps::missing));
      return false;
    }
    seccomp::filter_spec alone = wanted;
    if (supervised) alone.unix_streams = false;
    filter = seccomp::compile(alone);
    if (!seccomp::lets_begin(filter.code(), here.cpu)) throw refused::because<reasons::policy_denies_exec>();
    const bool can_be_watched = seccomp::lets_start(filter.code(), here.cpu);
    if (can_be_watched) {
      const seccomp::program watched =
          supervised ? seccomp::refusing(seccomp::compile(wanted).code(), here.cpu, "connect") : filter;
      notifying = seccomp::with_user_notification(watched.code());
      confinement.supervises_connect = supervised;
    }
    if (core != core_handler::file) {
      filter = seccomp::keeping_core_limit(filter.code(), here.cpu);
      if (can_be_watched) notifying = seccomp::keeping_core_limit(notifying.code(), here.cpu);
    }
    confinement.filter = filter.code().data();
    confinement.filter_length = static_cast<std::uint16_t>(filter.size());
    if (can_be_watched) {
      confinement.notifying = notifying.code().data();
      confinement.notifying_length = static_cast<std::uint16_t>(notifying.size());
    }
    mechanisms.push_back({"seccomp", std::to_string(filter.size()) + " instructions", "a probe was refused"});
    return true;
  }
};

namespace {

[[nodiscard]] bool is_link(const char* place) {
  struct stat st {};
  return ::lstat(place, &st) == 0 && S_ISLNK(st.st_mode);
}

/// Does the kernel's out-of-memory killer spare this process more than others? proc(5), oom_score_adj.
[[nodiscard]] bool is_spared() { return read_file("/proc/self/oom_score_adj").starts_with('-'); }

void check(const diagnostic& d) {
  switch (d.code) {
  case diagnostic_code::ok: return;
  case diagnostic_code::target_refused: throw refused::because<reasons::no_landlock>();
  case diagnostic_code::bad_value: throw refused::because<reasons::unknown_call>(d.subject);
  default: throw refused::because<reasons::policy_too_large>("this kernel's rules");
  }
}

} // namespace

prepared::prepared() : parts_(new parts()) {}
prepared::prepared(prepared&&) noexcept = default;
prepared& prepared::operator=(prepared&&) noexcept = default;
prepared::~prepared() = default;

const linux_shim::confinement& prepared::confinement() const { return parts_->confinement; }
const std::vector<reported_gap>& prepared::gaps() const { return parts_->gaps; }
const std::vector<mechanism>& prepared::mechanisms() const { return parts_->mechanisms; }
const std::vector<stated_limit>& prepared::limits() const { return parts_->limits; }
const char* const* prepared::environment() const { return parts_->environment.data(); }
const std::vector<std::string>& prepared::added_environment() const { return parts_->environment.added(); }
const std::vector<std::string>& prepared::dropped_environment() const { return parts_->environment.dropped(); }
const std::string& prepared::temp() const { return parts_->temp.path(); }
void prepared::sweep_temp() const {
  parts_->temp.sweep_beside();
  if (!parts_->session.empty()) shim::measure_session(parts_->session);
  if (!parts_->isolation || !parts_->isolation->points().has_swept()) mount_points::sweep();
}

/// Why the view has not the program or the working directory of the caller.
[[nodiscard]] static std::string describe_places(int error) {
  if (error == ENOENT)
    return "the policy grants nothing on the program or on the working directory; grant them with run and read";
  if (error == ESTALE)
    return "the program or the working directory was replaced, or the policy grants only something below it; grant it "
           "with run or read";
  return std::strerror(error);
}

std::string prepared::describe_failure(const linux_shim::failure& why) const {
  std::string text = "cannot start the program: ";
  if (why.words.front() != '\0') return text + why.words.data();
  if (why.at == linux_shim::launch_stage::places) return text + describe_places(why.error);
  text += "stage " + std::string(name(why.at));
  if (why.at == linux_shim::launch_stage::view && parts_->isolation)
    text += " (" + parts_->isolation->describe_step(why.part) + ")";
  return text + ": " + std::strerror(why.error);
}

/// A crash handler gets the program's memory unless the limit of core files is exactly 1 and cannot change.
void prepared::parts::state_core() {
  if (core == core_handler::file) return;
  const auto begin = confinement.limits.begin(), end = begin + static_cast<std::ptrdiff_t>(confinement.limit_count);
  const bool holds = std::any_of(begin, end, [](const linux_shim::resource_limit& l) {
    return l.resource == RLIMIT_CORE && l.soft == 1 && l.hard == 1;
  });
  if (core == core_handler::pipe && holds && confinement.filter != nullptr) return;
  gaps.push_back(gap_of(run_gaps::core_handler));
}

/// Does this process hold CAP_SETPCAP? capget(2).
[[nodiscard]] static bool may_empty_bounding_set() {
  __user_cap_header_struct self{_LINUX_CAPABILITY_VERSION_3, 0};
  __user_cap_data_struct has[_LINUX_CAPABILITY_U32S_3]{};
  return ::syscall(SYS_capget, &self, has) == 0 && (has[0].effective & 1U << CAP_SETPCAP) != 0;
}

/// Confines the program by Landlock and a filter, without namespaces.
void prepared::parts::stand_alone(const loaded_policy& policy, const kernel& here, const prepare_options& options) {
  const auto made = landlock::compile(policy, {here.landlock_abi});
  check(made.error);
  if (here.landlock_abi > 0) {
    ruleset = make_ruleset(made.rules, temp.path(), options.programs ? &*options.programs : nullptr);
    confinement.ruleset = ruleset.get();
    state_landlock(here);
  }
  mechanisms.push_back({"capabilities", may_empty_bounding_set() ? "none, bounding set empty" : "none",
                        "no_new_privs: nothing is gained by exec"});
  const seccomp::target filtered{.cpu = here.cpu, .set_id = false};
  const auto calls = seccomp::compile(policy, filtered);
  check(calls.error);
  const seccomp::filter_spec wanted = seccomp::filter_spec_of(policy, filtered);
  if (use_filter(wanted, here)) append_gaps(gaps, on_linux::gaps_without_view(made.gaps, calls.gaps, policy, wanted));
  else append_gaps(gaps, made.gaps);
  if (!session.empty()) gaps.push_back(gap_of(run_gaps::session_tmp));
}

/// Has the init process no way to let programs of the run bind ports below 1024?
[[nodiscard]] static bool has_fixed_ports() {
  struct statvfs system {};
  return ::statvfs("/proc/sys/net/ipv4", &system) != 0 || (system.f_flag & ST_RDONLY) != 0;
}

/// The same in private namespaces of the program.
template <class View>
void prepared::parts::isolate(const loaded_policy& policy, const kernel& here, const prepare_options& options,
                              mechanism maker) {
  typename View::backend::target view{.merged_usr = is_link("/bin")};
  if constexpr (requires { view.first_process; }) view.first_process = true;
  constexpr std::uint64_t least = 4096; // 0 would mean no limit
  view.private_bytes = std::clamp(policy.limits[limit::memory], least, view.private_bytes);
  const auto made =
      on_linux::compile(policy, on_linux::basic_target<View>{here.landlock_abi, here.cpu, view, here.supervises});
  check(made.error);
  const bool own_view = std::is_same_v<View, on_linux::own_view>;
  const bool at_tmp =
      own_view && !session.empty() && can_show_at_tmp(mounts::view(made.rules.view.mounts), options.links);
  isolation = std::make_unique<planned_isolation>(made.rules,
                                                  view_options{temp.path(), options.links, options.settings, at_tmp});
  if (!session.empty() && !at_tmp) gaps.push_back(gap_of(run_gaps::session_tmp));
  if (options.programs) isolation->narrow_to(*options.programs);
  confinement.isolated = &isolation->get();
  mechanisms.push_back({"capabilities", "none, bounding set empty", "no_new_privs: nothing is gained by exec"});
  if (View::has_own_network(made.rules.view)) maker.version += ", network";
  mechanisms.push_back(std::move(maker));
  if (here.landlock_abi > 0) state_landlock(here);
  const bool supervised = made.rules.calls.unix_streams && !made.rules.made_for.judges_names();
  (void)use_filter(made.rules.calls, here, supervised);
  append_gaps(gaps, made.gaps);
  if (supervised) {
    std::erase_if(gaps, [](const reported_gap& g) { return g.id == View::gaps.view.connect.id; });
    gaps.push_back(gap_of(run_gaps::sockets_peer_pid));
  }
  if (made.rules.calls.own && (std::is_same_v<View, on_linux::bwrap_view> || has_fixed_ports()))
    gaps.push_back(gap_of(run_gaps::network_low_ports));
}

/// Returns: the directory for sockets of a run whose view has a private /run, or an empty text.
[[nodiscard]] static std::string runtime_directory_for(const loaded_policy& policy, const prepare_options& options) {
  const rights shown = rights::from_bits(policy.files().lookup(mounts::own_run));
  const bool has_view = options.confine && options.by != enclosure::landlock;
  return has_view && !is_visible(mounts::mount_for(shown, {}).directory) ? runtime_directory() : std::string();
}

prepared cordon::abi_0::prepare(const loaded_policy& policy, const prepare_options& options) {
  prepared made;
  prepared::parts& p = *made.parts_;
  p.limits = set_limits(policy.limits, p.confinement, options.group);
  p.session = options.session;
  const bool has_temp = policy.files().lookup(run_temp) != 0 && !policy.is_any<axis_id::files>();
  if (!has_temp && !p.session.empty()) throw refused::because<reasons::session_without_temp>(p.session);
  if (has_temp) p.temp = p.session.empty() ? run_directory::make() : shim::open_session(p.session);
  p.environment = shim::environment(policy, options.environment ? *options.environment : shim::own_environment(),
                                    p.temp.path(), options.confine, runtime_directory_for(policy, options));
  if (!options.confine) {
    p.confinement.no_new_privs = p.confinement.drop_capabilities = p.confinement.new_session = false;
    return made;
  }
  p.confinement.reset_oom_score = is_spared();
  const std::size_t looked_at = shim::append_hard_links(p.gaps, policy);
  const kernel here = this_kernel();
  if (policy.syscalls == syscalls::strict && !here.seccomp) throw refused::because<reasons::strict_without_seccomp>();
  const std::string kinds = "user, mount, pid, ipc, uts, cgroup",
                    seen = "each start checks that its root is the view's";
  switch (options.by) {
  case enclosure::landlock: p.stand_alone(policy, here, options); break;
  case enclosure::namespaces: p.isolate<on_linux::own_view>(policy, here, options, {"namespaces", kinds, seen}); break;
  case enclosure::bubblewrap:
    p.isolate<on_linux::bwrap_view>(policy, here, options, {"bubblewrap", kinds, seen});
    break;
  }
  p.state_core();
  state_listed_programs(p.gaps, policy, options.programs && here.landlock_abi > 0);
  if (looked_at > 0)
    p.mechanisms.push_back({"second names", "at most " + std::to_string(shim::most_entries) + " entries",
                            std::to_string(looked_at) + " were looked at before the start"});
  return made;
}

} // namespace cordon
