// SPDX-License-Identifier: BSL-1.0
/// The arguments of a confined program: those of the caller, and those that keep a tool such as SwiftPM from starting
/// its own sandbox, which macOS refuses inside another one.
#pragma once

#include <cordon/guard/nested_sandbox.hpp>
#include <cordon/policy/heap.hpp>

#include <filesystem>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace cordon::macos_shim {

struct words_to_start {
  std::vector<std::string> all;   ///< the program's name first
  std::vector<std::string> added; ///< those that the caller did not give
};

/// `path`: the program as it was found. `real`: the same with every link followed. The tool keeps its state beneath
/// `workspace`. O(words).
[[nodiscard]] inline words_to_start words_for(const loaded_policy& policy, const std::string& path,
                                              const std::string& real, const std::vector<std::string>& argv,
                                              const std::string& workspace) {
  words_to_start to;
  to.all.push_back(argv.front());
  std::error_code ec;
  const std::filesystem::path named(path);
  const std::string entry = (std::filesystem::canonical(named.parent_path(), ec) / named.filename()).string();
  const std::vector<std::string_view> given(argv.begin() + 1, argv.end());
  std::size_t next = 0; // index into the caller's arguments, which keep their order
  (void)without_nested_sandbox(policy, {entry, real}, given, workspace, [&](std::string_view word) {
    to.all.emplace_back(word);
    if (next < given.size() && word.data() == given[next].data()) ++next;
    else to.added.emplace_back(word);
  });
  return to;
}

} // namespace cordon::macos_shim
