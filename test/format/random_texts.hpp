// SPDX-License-Identifier: BSL-1.0
/// Random texts of policy documents in every input format, with axes left out.
#pragma once

#include "random_documents.hpp"

#include <cordon/format/notation.hpp>
#include <cordon/format/read.hpp>
#include <cordon/format/write.hpp>

#include <set>
#include <sstream>

namespace random_documents {

/// `["a", "b"]` of a random selection.
inline std::string json_list(dice& d, std::initializer_list<const char*> all) {
  std::string out;
  for (const std::string& one : some_of(d, all)) out += (out.empty() ? "" : ", ") + format::as_json(one);
  return "[" + out + "]";
}

/// An object with a random selection of its members.
class json_object {
public:
  explicit json_object(dice& d) : dice_(d) {}
  void put(const char* key, const std::string& value, std::uint32_t percent = 60) {
    if (dice_.percent(percent)) text_ += (text_.empty() ? "\"" : ", \"") + std::string(key) + "\": " + value;
  }
  [[nodiscard]] std::string text() const { return "{" + text_ + "}"; }

private:
  dice& dice_;
  std::string text_;
};

inline std::string capability_policy(dice& d) {
  json_object capabilities(d), sandbox(d), all(d);
  capabilities.put("workspace", json_list(d, {"read_text", "list", "exists", "write_text", "delete"}));
  capabilities.put("process", json_list(d, {"exec"}), 80);
  const char* const presets[]{"[]", "null", "[\"system_runtime\"]", "[\"user_temp\", \"credentials\"]"};
  sandbox.put("presets", d.one_of(presets));
  sandbox.put("read_roots", json_list(d, {"/a", "/a/b", "/usr"}));
  sandbox.put("write_roots", json_list(d, {"/a", "/a/b/c", "/srv"}));
  const char* const levels[]{"\"none\"", "\"read_only\"", "\"workspace_write\"", "\"process_exec\"", "\"network\""};
  all.put("workspace_roots", json_list(d, {"/a", "/a/b", "/"}));
  all.put("read_only_roots", json_list(d, {"/a/b", "/a/b/c", "/b"}));
  all.put("capabilities", capabilities.text());
  all.put("process_sandbox", sandbox.text());
  all.put("sandbox_profile", d.percent(80) ? "\"worktree\"" : "\"os_hardened\"");
  all.put("side_effect_level", d.one_of(levels), 50);
  return all.text();
}

inline std::string permission_policy(dice& d) {
  json_object all(d);
  all.put("read", json_list(d, {"/a/**", "/a/b/**", "/usr/**"}), 100);
  all.put("write", json_list(d, {"/a/b/**", "/a/**"}));
  all.put("exec", json_list(d, {"git", "/usr/bin/cc"}));
  all.put("net", json_list(d, {"example.com", "*.example.com"}));
  return all.text();
}

/// The text without the lines of randomly chosen axes.
inline std::string without_some_axes(dice& d, const std::string& notation) {
  std::set<std::string> kept, dropped;
  std::istringstream lines(notation);
  std::string out;
  for (std::string line; std::getline(lines, line);) {
    const std::string key = line.substr(0, line.find(' '));
    if (!kept.contains(key) && !dropped.contains(key)) (d.percent(75) ? kept : dropped).insert(key);
    if (kept.contains(key)) out += line + "\n";
  }
  return out.empty() ? "profile worktree\n" : out;
}

/// cordon's own two formats from the same random documents, in which axes are already left out at random.
inline std::string text(dice& d, const format::host_facts& facts) {
  switch (d.below(4)) {
  case 0: return capability_policy(d);
  case 1: return permission_policy(d);
  case 2: return without_some_axes(d, format::write_notation(format::lower_lexically(random(d), facts)));
  default: return format::write_json(format::lower_lexically(random(d), facts));
  }
}

} // namespace random_documents
