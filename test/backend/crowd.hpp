// SPDX-License-Identifier: BSL-1.0
/// A policy larger than any that a person writes, and the time limit for compiling it: a quadratic compiler takes
/// minutes.
#pragma once

#include <cordon/policy/heap.hpp>
#include <cordon/policy/rights.hpp>

#include <chrono>
#include <stdexcept>
#include <string>

namespace crowd {

using namespace cordon;

/// A hundred thousand paths in 300 directories of a writable one, alternately read-only and hidden.
inline loaded_policy policy() {
  loaded_policy p;
  const diagnostic d = p.write<axis_id::files>([](auto& out) {
    out.add({"/srv", verb::write.bits(), {}});
    for (int i = 0; i < 100'000; ++i)
      out.add({"/srv/" + std::to_string(i % 300) + "/" + std::to_string(i),
               (i % 2 == 0 ? verb::read : verb::hide).bits(),
               {}});
  });
  if (d.code != diagnostic_code::ok) throw std::runtime_error("no such policy");
  return p;
}

/// Does `f` end within a few seconds?
template <class F> bool is_quick(F&& f) {
  const auto start = std::chrono::steady_clock::now();
  f();
  return std::chrono::steady_clock::now() - start < std::chrono::seconds(5);
}

} // namespace crowd
