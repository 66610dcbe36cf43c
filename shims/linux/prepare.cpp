// SPDX-License-Identifier: BSL-1.0
#include "environment.hpp"
#include "host.hpp"
#include "limits.hpp"
#include "ruleset.hpp"

#include <cordon/backend/linux.hpp>
#include <cordon/gap_text.hpp>
#include <cordon/run/prepare.hpp>

#include <fcntl.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>

namespace cordon {

using namespace linux_shim;

/// Owned through a pointer, so that the confinement's pointers stay valid when the owner moves.
struct prepared::parts {
  linux_shim::confinement confinement;
  descriptor ruleset;
  seccomp::program filter;
  std::vector<stated_gap> gaps;
  std::vector<mechanism> mechanisms;
  std::vector<stated_limit> limits;
  linux_shim::environment environment;
  std::string temp;

  ~parts() {
    std::error_code ec;
    if (!temp.empty()) std::filesystem::remove_all(temp, ec);
  }
};

namespace {

/// A directory for this run alone, beneath the caller's own temporary directory.
[[nodiscard]] std::string make_temp() {
  const char* const base = std::getenv("TMPDIR");
  std::string name = (base != nullptr && base[0] == '/' ? std::string(base) : std::string("/tmp")) + "/cordon-XXXXXX";
  if (::mkdtemp(name.data()) == nullptr)
    throw refused(name + ": cannot make the run's temporary directory: " + std::strerror(errno));
  return std::filesystem::canonical(name).string();
}

template <class Gaps> void state(std::vector<stated_gap>& to, const Gaps& gaps) {
  for (std::uint32_t i = 0; i < gaps.size(); ++i) {
    const gap g = gaps[i];
    std::string id(g.what);
    if (!g.place.empty()) id += ":" + std::string(g.place);
    to.push_back({g.kind, std::move(id), std::string(gap_text(g.what))});
  }
}

} // namespace

prepared::prepared() : parts_(std::make_unique<parts>()) {}
prepared::prepared(prepared&&) noexcept = default;
prepared& prepared::operator=(prepared&&) noexcept = default;
prepared::~prepared() = default;

const linux_shim::confinement& prepared::confinement() const { return parts_->confinement; }
const std::vector<stated_gap>& prepared::gaps() const { return parts_->gaps; }
const std::vector<mechanism>& prepared::mechanisms() const { return parts_->mechanisms; }
const std::vector<stated_limit>& prepared::limits() const { return parts_->limits; }
const char* const* prepared::environment() const { return parts_->environment.data(); }
const std::vector<std::string>& prepared::added_environment() const { return parts_->environment.added(); }
const std::string& prepared::temp() const { return parts_->temp; }

std::vector<std::string> prepared::not_accepted(const std::vector<std::string>& accepted) const {
  std::vector<std::string> left;
  for (const stated_gap& g : gaps())
    if (g.kind == gap_kind::unenforced && std::find(accepted.begin(), accepted.end(), g.id) == accepted.end())
      left.push_back(g.id);
  return left;
}

prepared prepare(const loaded_policy& policy, const prepare_options& options) {
  prepared made;
  prepared::parts& p = *made.parts_;
  p.limits = set_limits(policy.limits, p.confinement);
  if (policy.files().value(run_temp) != 0 && !policy.is_any<part::files>()) p.temp = make_temp();
  p.environment =
      linux_shim::environment(policy, options.environment ? *options.environment : own_environment(), p.temp);
  if (!options.confine) {
    p.confinement.no_new_privs = p.confinement.drop_capabilities = p.confinement.new_session = false;
    return made;
  }
  const kernel here = this_kernel();
  const auto landlock_plan = landlock::compile(policy, {here.landlock_abi});
  if (landlock_plan.error.code == errc::target_refused)
    throw refused("this kernel has no Landlock; cordon doctor says why");
  if (landlock_plan.error.code != errc::ok) throw refused("the policy is too large for Landlock");
  if (here.landlock_abi > 0) {
    p.ruleset = make_ruleset(landlock_plan.rules, p.temp);
    p.confinement.ruleset = p.ruleset.get();
    p.mechanisms.push_back({"landlock", "ABI " + std::to_string(here.landlock_abi), "a probe was refused"});
  }
  if (const std::string_view unknown = seccomp::unknown_call(policy); !unknown.empty())
    throw refused("the policy denies " + std::string(unknown) + ", which is no system call");
  const seccomp::demand wanted = seccomp::demand_of(policy, {here.cpu});
  if (!here.seccomp) {
    state(p.gaps, landlock_plan.gaps);
    p.gaps.push_back({gap_kind::unenforced, "seccomp.missing", std::string(gap_text("seccomp.missing"))});
    return made;
  }
  p.filter = seccomp::compile(wanted);
  p.confinement.filter = p.filter.code().data();
  p.confinement.filter_length = static_cast<std::uint16_t>(p.filter.size());
  p.mechanisms.push_back({"seccomp", std::to_string(p.filter.size()) + " instructions", "a probe was refused"});
  state(p.gaps, on_linux::gaps(landlock_plan.gaps, policy, wanted));
  return made;
}

} // namespace cordon
