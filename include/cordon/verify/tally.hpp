// SPDX-License-Identifier: BSL-1.0
/// The counters of a proof.
#pragma once

#include <cstddef>
#include <string>

namespace cordon::verifying {

/// Numbers of answers.
struct tally {
  std::size_t asked = 0;       ///< questions
  std::size_t agree = 0;       ///< the rules permit what the policy allows
  std::size_t by_gaps = 0;     ///< they differ, and a gap says so
  std::size_t unexplained = 0; ///< they differ without a gap

  /// Counts one answer.
  void count(bool agrees, bool explained) {
    ++asked;
    ++(agrees ? agree : explained ? by_gaps : unexplained);
  }
  /// Adds the numbers.
  tally& operator+=(const tally& t) {
    asked += t.asked;
    agree += t.agree;
    by_gaps += t.by_gaps;
    unexplained += t.unexplained;
    return *this;
  }
};

/// A check in which rules and policy differ and no gap explains it.
struct difference {
  std::string question; ///< the question, as text
  bool permitted;       ///< the rules permit what the policy denies; if false, the reverse
};

} // namespace cordon::verifying
