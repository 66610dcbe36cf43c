// SPDX-License-Identifier: BSL-1.0
/// A test once by each mechanism.
#pragma once

#include <cordon/run/selection.hpp>

#include <doctest/doctest.h>

#include <initializer_list>

namespace runs {

using cordon::backend;

template <class F> void by_each(std::initializer_list<backend> all, F&& body) {
  for (const backend by : all) {
    CAPTURE(name(by));
    body(by);
  }
}
/// By each mechanism of our own.
template <class F> void by_each(F&& body) { by_each({backend::namespaces, backend::landlock}, body); }

} // namespace runs
