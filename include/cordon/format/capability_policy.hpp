// SPDX-License-Identifier: BSL-1.0
/// CapabilityPolicy JSON: `workspace_roots`, `read_only_roots`, `process_sandbox`, ... In this format, an absent field,
/// null, `{}` and `[]` of the two widest fields all mean *any*. A list of operations or of presets grants exactly its
/// entries.
#pragma once

#include "../policy/capabilities.hpp"
#include "../policy/preset.hpp"
#include "fields.hpp"

#include <algorithm>
#include <functional>
#include <iterator>
#include <map>
#include <set>

namespace cordon::format {

namespace detail {

/// Fields about the tools of the host program that wrote the document.
inline constexpr std::string_view tool_field_names[]{"tools", "tool_arg_constraints", "tool_annotations",
                                                     "recursion_limit"};

inline bool is_tool_field(std::string_view key) {
  return std::find(std::begin(tool_field_names), std::end(tool_field_names), key) != std::end(tool_field_names);
}

/// Checks the type of a tool field. Under `tool_fields::refuse`, its value must be null, `[]` or `{}`, which set
/// nothing.
inline void read_tool_field(const json::node& n, std::string_view key, const host_facts& facts) {
  const boost::json::value& v = n.value();
  if (key == "recursion_limit" ? !(v.is_null() || v.is_uint64() || (v.is_int64() && v.get_int64() >= 0))
                               : !(v.is_null() || v.is_array() || v.is_object()))
    n.fail(diagnostic_code::bad_type,
           key == "recursion_limit" ? "must be a number or null" : "must be a list, an object or null");
  const bool says_nothing =
      v.is_null() || (v.is_array() && v.get_array().empty()) || (v.is_object() && v.get_object().empty());
  if (!says_nothing && facts.tools == tool_fields::refuse)
    n.fail(diagnostic_code::bad_value,
           std::string(key) + " limits the program that made this document, which cordon does not enforce; "
                              "remove it, or enforce it in the caller and read the document with tool fields skip");
}

/// The lists of roots as written.
struct roots {
  std::vector<std::string> workspace, read_only, process_read, process_write;
};

inline std::vector<std::string> read_roots(const json::node& n, const host_facts& facts) {
  std::vector<std::string> roots;
  if (n.is_null()) return roots;
  n.each("a list of paths", [&](const json::node& e) { roots.push_back(read_path(e, facts)); });
  return roots;
}

inline void read_capabilities(const json::node& n, document& to) {
  if (n.is_null()) return;
  std::vector<std::string> all;
  bool any = true;
  n.members("an object of lists of operations", [&](std::string_view group, const json::node& v) {
    any = false;
    v.each("a list of operations", [&](const json::node& e) {
      const std::string full = std::string(group) + "." + std::string(e.string());
      if (!capability::is_name(full)) {
        std::string known;
        for (const std::string_view k : capability::known) known += " " + std::string(k);
        e.fail(diagnostic_code::bad_value, "unknown operation " + shown(full) + "; known here:" + known);
      }
      all.push_back(full);
    });
  });
  if (any) return;
  to.say(axis::capabilities);
  to.capabilities = std::move(all);
}

inline void read_process_sandbox(const json::node& n, const host_facts& facts, document& to, roots& r) {
  if (n.is_null()) return;
  n.members("an object with presets, read_roots and write_roots", [&](std::string_view key, const json::node& v) {
    if (key == "presets") {
      if (v.is_null()) return;
      to.presets.emplace();
      v.each("a list of presets or null",
             [&](const json::node& e) { to.presets = *to.presets | read_word<preset>(e, default_preset_names); });
    } else if (key == "read_roots") r.process_read = read_roots(v, facts);
    else if (key == "write_roots") r.process_write = read_roots(v, facts);
    else v.unknown_key("presets read_roots write_roots");
  });
}

/// Grants by path. Lists add up: a path has the rights of all roots that cover it, up to the nearest read-only root. A
/// read-only root removes the rights given above it and at its own path. O(n times the components of a path).
inline std::vector<grant> grants_of(std::initializer_list<std::pair<const std::vector<std::string>*, rights>> lists,
                                    const std::vector<std::string>& read_only) {
  std::map<std::string, rights, std::less<>> given;
  for (const auto& [places, r] : lists)
    for (const std::string& p : *places) given[p] = given[p] | r;
  const std::set<std::string, std::less<>> kept(read_only.begin(), read_only.end());
  std::vector<grant> grants;
  for (const auto& [place, own] : given) {
    rights all;
    for (std::string_view at = place; !kept.contains(at); at = path::parent(at)) {
      if (const auto around = given.find(at); around != given.end()) all = all | around->second;
      if (at == "/") break;
    }
    if (!kept.contains(place)) grants.push_back({place, all});
  }
  for (const std::string& place : kept) grants.push_back({place, verb::run});
  std::sort(grants.begin(), grants.end(), [](const grant& a, const grant& b) { return a.place < b.place; });
  return grants;
}

} // namespace detail

/// Reads a document. Throws: bad_document. Without `workspace_roots`, the roots are `facts.project`. If that has no
/// value either and there are no `read_only_roots`, the path axes are *any*.
[[nodiscard]] inline document read_capability_policy(const json::text& text, const host_facts& facts) {
  document d;
  // The default of this format's own system. It is not marked as set, so that CORDON_SANDBOX may loosen it.
  d.fallback = fallback::warn;
  d.under_home = home_presets::whole;
  detail::roots r;
  json::node(text).members("an object", [&](std::string_view key, const json::node& v) {
    if (key == "capabilities") detail::read_capabilities(v, d);
    else if (key == "workspace_roots") r.workspace = detail::read_roots(v, facts);
    else if (key == "read_only_roots") r.read_only = detail::read_roots(v, facts);
    else if (key == "process_sandbox") detail::read_process_sandbox(v, facts, d, r);
    else if (key == "sandbox_profile") {
      if (!v.is_null()) d.profile = read_word<profile>(v, profile_names);
    } else if (key == "side_effect_level") {
      if (!v.is_null()) d.say(axis::level), d.level = read_word<level>(v, level_names);
      // In this format, only the level limits the network.
      if (!d.level) return;
      d.say(axis::sockets);
      if (d.level == level::network) d.say(axis::hosts);
      else d.sockets.emplace();
    } else if (detail::is_tool_field(key)) detail::read_tool_field(v, key, facts);
    else
      v.unknown_key(
          "capabilities workspace_roots read_only_roots process_sandbox sandbox_profile side_effect_level tools "
          "tool_arg_constraints tool_annotations recursion_limit");
  });
  d.wants_root = r.workspace.empty();
  if (d.wants_root && facts.project) r.workspace = *facts.project;
  if (r.workspace.empty() && r.read_only.empty() && !facts.project) return d; // the path axes are any
  d.say(axis::workspace);
  d.say(axis::files);
  const bool writes = writes_workspace(d);
  const rights own = writes ? verb::write : removes_in_workspace(d) ? verb::run | right::remove : verb::run;
  d.workspace = detail::grants_of({{&r.workspace, own}}, r.read_only);
  d.files = detail::grants_of(
      {{&r.workspace, own}, {&r.process_read, verb::run}, {&r.process_write, writes ? verb::write : verb::run}},
      r.read_only);
  if (d.files->empty()) d.files->push_back({"/", verb::hide}); // an empty list would leave out the presets
  return d;
}

} // namespace cordon::format
