// SPDX-License-Identifier: BSL-1.0
/// Shared by the tests of runs: a policy under which programs of the system run, and requests with it.
#pragma once

#include "../scratch.hpp"

#include <cordon/format/lower.hpp>
#include <cordon/run/resolve.hpp>
#include <cordon/run/run.hpp>

#include <chrono>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

namespace runs {

using namespace cordon;

/// A directory in which programs may write, and the system to run.
struct place : scratch {
  [[nodiscard]] format::document document() const {
    format::document d;
    d.level = level::process_exec;
    d.presets.emplace();
    d.files.emplace();
    for (const char* where : {"/usr", "/lib", "/lib64", "/bin", "/etc"})
      if (std::filesystem::exists(where) && !std::filesystem::is_symlink(where)) d.files->push_back({where, verb::run});
    d.files->push_back({top.string(), verb::write});
    return d;
  }
  /// Shell commands without input, whose whole output is kept.
  [[nodiscard]] run_request shell(const std::string& words) const { return shell(words, document()); }
  [[nodiscard]] run_request shell(const std::string& words, const format::document& d) const {
    run_request r;
    r.policy = format::lower_lexically(d, {});
    r.argv = {"/bin/sh", "-c", words};
    r.environment = std::vector<std::string>{"PATH=/usr/bin:/bin"};
    r.directory = top.string();
    r.in = input::nothing();
    r.keep = captured_size{captured_size::everything, 0};
    return r;
  }
};

inline run_request under(launcher_id by, run_request r) {
  r.asked.backend = by;
  return r;
}

/// Commands for a shell that works until it is killed, and the file that it keeps creating.
inline constexpr std::string_view lasting = "while :; do : > alive; sleep 0.02; done";

/// Waits until `lasting` has begun.
inline void begin(const place& s) {
  while (!std::filesystem::exists(s.top / "alive")) std::this_thread::sleep_for(std::chrono::milliseconds(5));
}
/// Does it still run?
inline bool is_alive(const place& s) {
  std::filesystem::remove(s.top / "alive");
  std::this_thread::sleep_for(std::chrono::milliseconds(200));
  return std::filesystem::exists(s.top / "alive");
}

} // namespace runs
