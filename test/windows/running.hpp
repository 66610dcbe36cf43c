// SPDX-License-Identifier: BSL-1.0
/// A child from its start to its end, with its output.
#pragma once

#include "child.hpp"

#include <windows/text.hpp>

#include <doctest/doctest.h>

namespace windows_tests {

/// A pipe: the test reads here what the child writes.
struct channel {
  handle ours, theirs;
  channel() {
    HANDLE from = nullptr, to = nullptr;
    REQUIRE(::CreatePipe(&from, &to, nullptr, 0) != FALSE);
    ours = handle(from), theirs = handle(to);
  }
  std::string all() {
    theirs = {};
    std::string text;
    char piece[4096];
    DWORD n = 0;
    while (::ReadFile(ours.get(), piece, sizeof piece, &n, nullptr) != FALSE && n > 0) text.append(piece, n);
    return text;
  }
};

struct finished {
  DWORD status = STILL_ACTIVE;
  std::string output;
};

inline finished run(command what, std::span<const stage> steps) {
  channel out;
  what.stdio[1] = out.theirs.get();
  const launched l = launch(what, usual(), steps);
  finished e;
  CAPTURE(l.why.error);
  CHECK(narrow(l.why.at) == "");
  if (!l) return e;
  e.output = out.all();
  ::WaitForSingleObject(l.process.get(), INFINITE);
  ::GetExitCodeProcess(l.process.get(), &e.status);
  return e;
}
inline finished run(command what) {
  const std::vector<stage> steps = what_wine_does();
  return run(std::move(what), steps);
}

} // namespace windows_tests
