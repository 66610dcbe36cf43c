// SPDX-License-Identifier: BSL-1.0
/// Converts rules to the input of a launch on OpenBSD: texts that end in a NUL, in the order of the calls.
#pragma once

#include "launch.hpp"

#include <cordon/backend/unveil.hpp>
#include <cordon/policy/preset.hpp>

#include <deque>
#include <string>
#include <string_view>
#include <vector>

namespace cordon::openbsd_shim {

/// Owns the memory of its confinement.
class prepared {
public:
  /// `temp`: the directory for `run_temp`; empty: none, and its grants are left out. `exists(directory)`: unveil(2)
  /// accepts a missing file, but not in a missing directory. A path in one is left out and listed in `absent`.
  template <class S, class Exists>
  prepared(const unveil::rules<S>& rules, std::string_view temp, Exists&& exists)
      : promises_(unveil::launcher_promises) {
    each_unveil(rules, [&](std::string_view place, std::uint32_t permissions) {
      if (place == run_temp) place = temp;
      if (place.empty()) return;
      const std::string_view parent = path::parent(place);
      if (!exists(parent)) absent_.emplace_back(place);
      else calls_.push_back({text(place), text(letters(permissions))});
    });
    write_promises(rules, [&](std::string_view piece) { program_promises_ += piece; });
  }
  prepared(const prepared&) = delete;
  prepared& operator=(const prepared&) = delete;

  [[nodiscard]] openbsd_shim::confinement confinement() const {
    return {calls_.data(), calls_.size(), promises_.c_str(), program_promises_.c_str()};
  }
  [[nodiscard]] const std::vector<std::string>& absent() const { return absent_; }

private:
  [[nodiscard]] static std::string letters(std::uint32_t permissions) {
    std::string out;
    for (std::size_t i = 0; i < unveil::permission_letters.size(); ++i)
      if ((permissions >> i & 1) != 0) out += unveil::permission_letters[i];
    return out;
  }
  [[nodiscard]] const char* text(std::string_view s) { return texts_.emplace_back(s).c_str(); }

  std::deque<std::string> texts_; // a deque does not move its elements
  std::vector<unveiled> calls_;
  std::vector<std::string> absent_;
  std::string promises_, program_promises_;
};

} // namespace cordon::openbsd_shim
