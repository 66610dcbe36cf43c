// SPDX-License-Identifier: BSL-1.0
/// Converts a policy to the input of a launch on macOS: the profile, and the probe that verifies it.
#pragma once

#include "launch.hpp"

#include <cordon/backend/seatbelt.hpp>
#include <cordon/format/error.hpp>
#include <cordon/policy/heap.hpp>
#include <cordon/policy/preset.hpp>

#include <string>
#include <string_view>

namespace cordon::macos_shim {

/// Replaces `run_temp` in the policy by `temp`, or removes it if `temp` is empty. Throws: policy_overflow.
[[nodiscard]] inline loaded_policy with_run_temp(loaded_policy p, std::string_view temp) {
  if (p.is_any<axis_id::files>()) return p;
  const loaded_policy from = p;
  const auto all = from.files();
  const diagnostic d = p.write<axis_id::files>([&](auto& to) {
    for (std::uint32_t i = 0; i < all.size(); ++i) {
      auto entry = all[i];
      if (all.place(i) == run_temp) entry.place = temp;
      else entry.place = all.place(i);
      if (!entry.place.empty()) to.add(entry);
    }
  });
  if (d.code != diagnostic_code::ok) throw policy_overflow();
  return p;
}

/// Owns the memory of its confinement. The policy must be resolved: profiles match the resolved path.
class prepared {
public:
  /// `temp`: see `with_run_temp`. `own`: a resolved directory of the caller that no other account can write to. Before
  /// the launch it must contain a file `probe`, and a file `profile` with the text of `profile()`.
  prepared(const loaded_policy& policy, const seatbelt::target& t, std::string_view temp, const std::string& own)
      : made_(seatbelt::compile(with_run_temp(policy, temp), t)), probe_(own + "/probe"), file_(own + "/profile") {
    write(made_.rules, [&](std::string_view piece) { profile_ += piece; });
    probe_profile_ = "(version 1)\n(allow default)\n";
    const auto out = [&](std::string_view piece) { probe_profile_ += piece; };
    seatbelt::write_rule("deny", "file-read*", " (literal ", probe_, ")", out);
  }
  prepared(const prepared&) = delete;
  prepared& operator=(const prepared&) = delete;

  [[nodiscard]] const std::string& profile() const { return profile_; }
  /// The error of the policy, or its gaps.
  [[nodiscard]] const plan<seatbelt::rules<heap>>& made() const { return made_; }
  [[nodiscard]] macos_shim::confinement confinement() const {
    const refusal seen = !permits(made_.rules, right::read, probe_)    ? refusal::reading
                         : !permits(made_.rules, right::write, probe_) ? refusal::writing
                                                                       : refusal::reported;
    // Not a file that programs may write: they could change the profile of the next run.
    const char* const file = permits(made_.rules, right::write, file_) ? nullptr : file_.c_str();
    return {profile_.c_str(), seen, probe_.c_str(), file, probe_profile_.c_str()};
  }

private:
  plan<seatbelt::rules<heap>> made_;
  std::string profile_, probe_, file_, probe_profile_;
};

} // namespace cordon::macos_shim
