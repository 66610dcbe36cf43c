// SPDX-License-Identifier: BSL-1.0
#include "trusted_files.hpp"

#include "host.hpp"

#include <cordon/format/place.hpp>
#include <cordon/gap/run_gap_types.hpp>
#include <cordon/query/query.hpp>
#include <cordon/run/links/links.hpp>

#include <algorithm>
#include <filesystem>
#include <string_view>

namespace cordon::shim {
namespace {

namespace fs = std::filesystem;

[[nodiscard]] bool may_change(const loaded_policy& p, const std::string& place) {
  for (const right r : {right::write, right::create, right::remove})
    if (process_may(p, r, place).allowed()) return true;
  return false;
}

/// An entry that the program may replace. A granted directory keeps its own name, since its parent is not granted.
[[nodiscard]] bool may_replace(const loaded_policy& p, std::string_view entry) {
  for (const right r : {right::create, right::remove})
    if (process_may(p, r, entry).allowed() && process_may(p, r, path::parent(entry)).allowed()) return true;
  return false;
}

/// Can the program replace a directory or link on the path, or change the file at its end?
[[nodiscard]] bool may_redirect(const loaded_policy& p, const std::string& place) {
  bool replaceable = false;
  const cordon::detail::followed way = cordon::detail::follow(
      place, nullptr, [&](const std::string& entry) { replaceable = replaceable || may_replace(p, entry); });
  return replaceable || may_change(p, way.end);
}

/// Does the file have more hard links? Whether one of their names is granted is unknown.
[[nodiscard]] bool has_other_names(const fs::path& file) {
  std::error_code ec;
  const std::uintmax_t names = fs::hard_link_count(file, ec);
  return !ec && names > 1 && fs::is_regular_file(file, ec);
}

} // namespace

void state_writable(std::vector<reported_gap>& to, const loaded_policy& p, const std::vector<std::string>& files) {
  std::vector<std::string> listed;
  const auto state = [&](const fs::path& file) {
    std::error_code ec;
    const std::string name = place_of(fs::weakly_canonical(file.parent_path(), ec) / file.filename());
    if (std::find(listed.begin(), listed.end(), name) != listed.end()) return;
    listed.push_back(name);
    to.push_back(gap_of(run_gaps::policy_writable, name));
  };
  for (const std::string& file : files) {
    std::error_code ec;
    const fs::path whole = fs::absolute(path_at(file), ec);
    if (may_redirect(p, place_of(whole)) || has_other_names(whole)) state(whole);
  }
  // Package managers give programs further names, in directories that nothing writes.
  if (const std::string program = own_program(); !program.empty() && may_redirect(p, program)) state(path_at(program));
}

} // namespace cordon::shim
