// SPDX-License-Identifier: BSL-1.0
#include "trusted_files.hpp"

#include <cordon/format/place.hpp>
#include <cordon/question.hpp>

#include <algorithm>
#include <filesystem>

namespace cordon::shim {
namespace {

namespace fs = std::filesystem;

[[nodiscard]] bool may_change(const loaded_policy& p, const std::string& place) {
  for (const right r : {right::write, right::create, right::remove})
    if (may_process(p, r, place).allowed()) return true;
  return false;
}

} // namespace

void state_writable(std::vector<stated_gap>& to, const loaded_policy& p, const std::vector<std::string>& files) {
  std::vector<std::string> told;
  for (const std::string& file : files) {
    std::error_code ec;
    const fs::path whole = fs::absolute(path_at(file), ec);
    // What the name is given to, and what it leads to.
    const std::string name = place_of(fs::weakly_canonical(whole.parent_path(), ec) / whole.filename());
    const std::string end = place_of(fs::weakly_canonical(whole, ec));
    if (!may_change(p, name) && !may_change(p, end)) continue;
    if (std::find(told.begin(), told.end(), name) != told.end()) continue;
    told.push_back(name);
    to.push_back({gap_kind::unenforced, "policy.writable:" + name,
                  "the program may change this file, which is believed after the run: keep policies, keys, records and "
                  "reports outside of what the policy grants for writing"});
  }
}

} // namespace cordon::shim
