// SPDX-License-Identifier: BSL-1.0
/// The counters of a proof.
#pragma once

#include <cstddef>
#include <string>

namespace cordon::verifying {

struct tally {
  std::size_t asked = 0, agree = 0, by_gaps = 0, unexplained = 0;

  void count(bool agrees, bool explained) {
    ++asked;
    ++(agrees ? agree : explained ? by_gaps : unexplained);
  }
  tally& operator+=(const tally& t) {
    asked += t.asked, agree += t.agree, by_gaps += t.by_gaps, unexplained += t.unexplained;
    return *this;
  }
};

/// A check in which rules and policy differ and no gap explains it.
struct difference {
  std::string question;
  bool permitted; ///< the rules permit what the policy denies; if false, the reverse
};

} // namespace cordon::verifying
