// SPDX-License-Identifier: BSL-1.0
/// From a policy to what a launch on macOS needs: the profile, and what will show that it is in force.
#pragma once

#include "launch.hpp"

#include <cordon/backend/seatbelt.hpp>
#include <cordon/policy/heap.hpp>
#include <cordon/policy/preset.hpp>

#include <stdexcept>
#include <string>
#include <string_view>

namespace cordon::macos_shim {

/// The policy with that directory in the place of `run_temp`, or without it. Throws std::length_error.
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
  if (d.code != errc::ok) throw std::length_error("cordon: the policy is too large");
  return p;
}

/// Owns what its confinement points at. The policy must be resolved: profiles match the path that macOS has found.
class prepared {
public:
  /// `temp`: see `with_run_temp`. `own`: a directory of the caller's, resolved, that nobody else can write to; a file
  /// `probe` in it is to be there, and a file `profile` with the text of `profile()`, before the launch.
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
  /// What is wrong with the policy, or what its gaps are.
  [[nodiscard]] const plan<seatbelt::rules<heap>>& made() const { return made_; }
  [[nodiscard]] macos_shim::confinement confinement() const {
    const refusal seen = !permits(made_.rules, right::read, probe_)    ? refusal::reading
                         : !permits(made_.rules, right::write, probe_) ? refusal::writing
                                                                       : refusal::reported;
    // What programs may write is no place for the next one's profile.
    const char* const file = permits(made_.rules, right::write, file_) ? nullptr : file_.c_str();
    return {profile_.c_str(), seen, probe_.c_str(), file, probe_profile_.c_str()};
  }

private:
  plan<seatbelt::rules<heap>> made_;
  std::string profile_, probe_, file_, probe_profile_;
};

} // namespace cordon::macos_shim
