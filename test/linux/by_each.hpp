// SPDX-License-Identifier: BSL-1.0
/// Runs a test once by each mechanism.
#pragma once

#include <cordon/run/selection.hpp>

#include <doctest/doctest.h>

#include <initializer_list>

namespace runs {

using cordon::launcher_id;

template <class F> void by_each(std::initializer_list<launcher_id> all, F&& body) {
  for (const launcher_id by : all) {
    CAPTURE(name(by));
    body(by);
  }
}
/// By each mechanism of cordon.
template <class F> void by_each(F&& body) { by_each({launcher_id::namespaces, launcher_id::landlock}, body); }

} // namespace runs
