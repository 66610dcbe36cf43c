// SPDX-License-Identifier: BSL-1.0
/// Requests to run the test program itself.
#pragma once

#include "../scratch.hpp"
#include "child.hpp"

#include <windows/text.hpp>

#include <cordon/format/lower.hpp>
#include <cordon/format/place.hpp>
#include <cordon/run/run.hpp>

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace windows_tests {

using namespace cordon;

/// A directory in which programs may write, and the test program to run.
struct place : scratch {
  [[nodiscard]] format::document document() const {
    format::document d;
    d.level = level::process_exec;
    d.presets.emplace();
    d.files.emplace();
    d.files->push_back({place_of(std::filesystem::path(this_program()).parent_path()), verb::run});
    d.files->push_back({place_of(top), verb::write});
    return d;
  }
  [[nodiscard]] run_request child(std::vector<std::string> words) const { return child(std::move(words), document()); }
  [[nodiscard]] run_request child(std::vector<std::string> words, const format::document& d) const {
    run_request r;
    r.policy = format::lower_lexically(d, {platform::windows, {}, {}, nullptr});
    r.argv = {narrow(this_program()), "--child"};
    r.argv.insert(r.argv.end(), words.begin(), words.end());
    r.directory = top.string();
    r.in = input::nothing();
    r.keep = captured_size{captured_size::everything, 0};
    r.asked.backend = launcher_id::none;
    r.asked.allow = "1";
    return r;
  }
};

} // namespace windows_tests
