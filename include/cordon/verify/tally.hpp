// SPDX-License-Identifier: BSL-1.0
/// What a proof counts.
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

/// A question on which rules and policy differ though no gap says so.
struct difference {
  std::string question;
  bool permitted; ///< by the rules, against the policy; else denied against it
};

} // namespace cordon::verifying
