// SPDX-License-Identifier: BSL-1.0
/// Compares alternatives by the time that they take.
#pragma once

#include "turns.hpp"

#include <cstddef>
#include <cstdio>
#include <ctime>
#include <functional>
#include <utility>

/// Microseconds.
inline double now() {
  timespec t{};
  ::clock_gettime(CLOCK_MONOTONIC, &t);
  return static_cast<double>(t.tv_sec) * 1e6 + static_cast<double>(t.tv_nsec) / 1e3;
}

struct way {
  const char* name;
  double bound; ///< the highest ratio; 0: none
  std::function<void()> run;
  std::vector<double> times{};
};

/// Prints the medians and their ratio to the first one. Returns: whether all are within their bounds, and at most
/// `most_more` microseconds (0: any) slower than the first one.
inline bool compare_by(const char* title, int rounds, double most_more, std::vector<way> ways) {
  in_turns(ways, rounds, [](way& w) {
    const double from = now();
    w.run();
    w.times.push_back(now() - from);
  });
  std::printf("%s\n", title);
  double base = 0;
  bool good = true;
  for (way& w : ways) {
    std::nth_element(w.times.begin(), w.times.begin() + rounds / 2, w.times.end());
    const double median = w.times[static_cast<std::size_t>(rounds) / 2];
    if (base == 0) base = median;
    std::printf("  %-44s %8.1f us  %.3f\n", w.name, median, median / base);
    good &= (w.bound == 0 || median / base <= w.bound) && (most_more == 0 || median - base <= most_more);
  }
  return good;
}

inline bool compare(const char* title, int rounds, std::vector<way> ways) {
  return compare_by(title, rounds, 0, std::move(ways));
}
