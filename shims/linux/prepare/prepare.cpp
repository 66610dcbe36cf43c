// SPDX-License-Identifier: BSL-1.0
#include "../../common/environment.hpp"
#include "../../common/gaps.hpp"
#include "../../posix/hard_links.hpp"
#include "../../posix/run_directory.hpp"
#include "../child/read_file.hpp"
#include "../isolation/mount_points.hpp"
#include "../isolation/planned_isolation.hpp"
#include "../probe/kernel.hpp"
#include "core_dumps.hpp"
#include "limits.hpp"
#include "listed_programs.hpp"
#include "ruleset.hpp"

#include <cordon/backend/linux.hpp>
#include <cordon/backend/seccomp/core_limit.hpp>
#include <cordon/linux/prepare.hpp>

#include <fcntl.h>
#include <linux/capability.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>

namespace cordon {

using namespace linux_shim;
using shim::append_gaps;
using shim::run_directory;

/// On the heap, so that the confinement's pointers stay valid when the owner moves.
struct prepared::parts {
  run_directory temp; ///< removed last
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
  [[nodiscard]] bool use_filter(const seccomp::filter_spec& wanted, const kernel& here) {
    if (!here.seccomp) {
      gaps.push_back({gap_kind::unenforced, "seccomp.missing", std::string(gap_text("seccomp.missing"))});
      return false;
    }
    filter = seccomp::compile(wanted);
    if (!seccomp::lets_begin(filter.code(), here.cpu))
      throw refused("the policy denies execveat and execve, and no program begins without either");
    const bool can_be_watched = seccomp::lets_start(filter.code(), here.cpu);
    if (can_be_watched) notifying = seccomp::with_user_notification(filter.code());
    if (core != core_handler::file) {
      filter = seccomp::keeping_core_limit(filter.code(), here.cpu);
      if (can_be_watched) notifying = seccomp::keeping_core_limit(notifying.code(), here.cpu);
    }
    confinement.filter = filter.code().data();
    confinement.filter_length = static_cast<std::uint16_t>(filter.size());
    if (can_be_watched) confinement.notifying = notifying.code().data();
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
  case errc::ok: return;
  case errc::target_refused: throw refused("this kernel has no Landlock; cordon doctor says why");
  case errc::bad_value: throw refused("the policy denies " + std::string(d.subject) + ", which is no system call");
  default: throw refused("the policy is too large for this kernel's rules");
  }
}

} // namespace

prepared::prepared() : parts_(std::make_unique<parts>()) {}
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
  mount_points::sweep();
}

/// Why the view has not the program or the working directory of the caller.
[[nodiscard]] static std::string describe_places(int error) {
  if (error == ENOENT)
    return "the policy grants nothing on the program or on the working directory; grant them with --run and --read";
  if (error == ESTALE)
    return "the program or the working directory was replaced, or the policy grants only something below it; grant it "
           "with --run or --read";
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
  gaps.push_back(
      {gap_kind::unenforced, "core.handler",
       "kernel.core_pattern names a handler outside the sandbox, which receives the memory of a program that crashes; "
       "start cordon with a hard limit of core files above 0 (ulimit -Hc), or set core_pattern to a file name"});
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
  check(seccomp::compile(policy, filtered).error);
  const seccomp::filter_spec wanted = seccomp::filter_spec_of(policy, filtered);
  if (use_filter(wanted, here)) append_gaps(gaps, on_linux::gaps(made.gaps, policy, wanted));
  else append_gaps(gaps, made.gaps);
}

/// The same in private namespaces of the program.
template <class View>
void prepared::parts::isolate(const loaded_policy& policy, const kernel& here, const prepare_options& options,
                              mechanism maker) {
  typename View::backend::target view{.merged_usr = is_link("/bin")};
  if constexpr (requires { view.first_process; }) view.first_process = true;
  constexpr std::uint64_t least = 4096; // 0 would mean no limit
  view.private_bytes = std::clamp(policy.limits[limit::memory], least, view.private_bytes);
  const auto made = on_linux::compile(policy, on_linux::basic_target<View>{here.landlock_abi, here.cpu, view});
  check(made.error);
  isolation = std::make_unique<planned_isolation>(made.rules, temp.path(), options.links);
  if (options.programs) isolation->narrow_to(*options.programs);
  confinement.isolated = &isolation->get();
  mechanisms.push_back({"capabilities", "none, bounding set empty", "no_new_privs: nothing is gained by exec"});
  if (View::has_own_network(made.rules.view)) maker.version += ", network";
  mechanisms.push_back(std::move(maker));
  if (here.landlock_abi > 0) state_landlock(here);
  (void)use_filter(made.rules.calls, here);
  append_gaps(gaps, made.gaps);
}

prepared prepare(const loaded_policy& policy, const prepare_options& options) {
  prepared made;
  prepared::parts& p = *made.parts_;
  p.limits = set_limits(policy.limits, p.confinement, options.group);
  if (policy.files().lookup(run_temp) != 0 && !policy.is_any<axis_id::files>()) p.temp = run_directory::make();
  p.environment = shim::environment(policy, options.environment ? *options.environment : shim::own_environment(),
                                    p.temp.path(), options.confine);
  if (!options.confine) {
    p.confinement.no_new_privs = p.confinement.drop_capabilities = p.confinement.new_session = false;
    return made;
  }
  p.confinement.reset_oom_score = is_spared();
  const std::size_t looked_at = shim::append_hard_links(p.gaps, policy);
  const kernel here = this_kernel();
  if (policy.syscalls == syscalls::strict && !here.seccomp)
    throw refused(
        "the policy asks for syscalls strict, and this kernel has no seccomp filter to hold it; cordon doctor says "
        "why");
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
