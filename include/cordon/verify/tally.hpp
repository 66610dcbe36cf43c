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

/// Passes each difference on to a function object, which must live longer. A reference of one type for all of them, so
/// that the proof of a backend is compiled once.
class difference_sink {
public:
  /// Refers to `f`.
  template <class F> [[nodiscard]] static difference_sink to(F& f) {
    return {&f, [](void* object, const difference& d) { (*static_cast<F*>(object))(d); }};
  }

  /// Calls the function object.
  void operator()(const difference& d) const { call_(object_, d); }

private:
  difference_sink(void* object, void (*call)(void*, const difference&)) : object_(object), call_(call) {}

  void* object_;
  void (*call_)(void*, const difference&);
};

} // namespace cordon::verifying
