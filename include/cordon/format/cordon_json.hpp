// SPDX-License-Identifier: BSL-1.0
/// cordon's own JSON: `{"cordon": 1, ...}`. Strict: an unknown word or key is an error with its position.
#pragma once

#include "../backend/seccomp/lookup.hpp"
#include "../policy/capabilities.hpp"
#include "../policy/preset.hpp"
#include "fields.hpp"
#include "network_fields.hpp"

namespace cordon::format {

namespace detail {

inline constexpr std::string_view cordon_keys =
    "cordon profile level capabilities workspace files presets network sockets abilities syscalls limits environment "
    "guard fallback";

/// The keys of the axes, in the order of `axis`.
inline constexpr std::array<std::string_view, 13> axis_keys{
    "profile",   "level",    "capabilities", "workspace",   "files", "network", "sockets",
    "abilities", "syscalls", "limits",       "environment", "guard", "fallback"};

inline rights read_rights(const json::node& n) {
  if (n.value().is_string()) return verb_table[read_word<std::size_t>(n, verb_names)].allowed;
  refuse_empty(n, "\"hide\" for no rights");
  rights all;
  n.each("a verb (" + joined(verb_names) + ") or a list of rights",
         [&](const json::node& e) { all = all | read_word<right>(e, right_names); });
  return all;
}

/// A list of grants, "none" or "any". Patterns go to `globs`.
inline any_or<grant> read_grants(const json::node& n, const host_facts& facts, axis_id axis,
                                 std::vector<glob_grant>& globs) {
  if (n.is_string("any")) return std::nullopt;
  if (n.is_string("none")) return std::vector<grant>{};
  if (n.value().is_string()) n.fail(diagnostic_code::bad_value, "must be a list of grants, \"none\" or \"any\"");
  refuse_empty(n, "\"none\" or \"any\"");
  std::vector<grant> grants;
  n.each("a list of grants, \"none\" or \"any\"", [&](const json::node& e) {
    std::optional<std::string> place;
    std::optional<rights> allowed;
    e.members("a grant, {\"path\": ..., \"rights\": ...}", [&](std::string_view key, const json::node& v) {
      if (key == "rights") allowed = read_rights(v);
      else if (key != "path" && key != "glob") v.unknown_key("path glob rights");
      else if (place) v.fail(diagnostic_code::duplicate_key, "a grant has one path or one glob");
      else place = key == "path" ? read_place(v, facts) : read_pattern(v, facts);
    });
    if (!place || !allowed)
      e.fail(diagnostic_code::missing_key, std::string("a grant needs ") + (place ? "rights" : "a path or a glob"));
    grants.push_back({*place, *allowed});
  });
  refuse_twice(n, grants);
  std::erase_if(grants, [&](const grant& g) {
    if (!glob::is_marked(g.place)) return false;
    globs.push_back(glob_at(axis, g.allowed, g.place, facts));
    return true;
  });
  return grants;
}

/// A list of names, "none" or "any".
template <class Valid> any_or<std::string> read_name_set(const json::node& n, std::string_view what, Valid&& valid) {
  if (n.is_string("any")) return std::nullopt;
  if (n.is_string("none")) return std::vector<std::string>{};
  if (n.value().is_string())
    n.fail(diagnostic_code::bad_value, "must be a list of " + std::string(what) + ", \"none\" or \"any\"");
  refuse_empty(n, "\"none\" or \"any\"");
  return read_names(n, what, valid);
}

inline cordon::abilities read_abilities(const json::node& n) {
  const auto list = read_name_set(n, "abilities", [](std::string_view s) {
    cordon::abilities a;
    return from_word(s, a);
  });
  if (!list) return abilities::any();
  cordon::abilities all;
  for (const std::string& s : *list) {
    cordon::abilities a;
    if (from_word(s, a)) all = all | a;
  }
  return all;
}

inline void read_syscalls(const json::node& n, document& to) {
  if (n.value().is_string()) return void(to.syscalls = read_word<syscalls>(n, syscalls_names));
  n.members("\"inherit\", \"strict\" or {\"mode\": ..., \"deny\": [...]}", [&](std::string_view key,
                                                                               const json::node& v) {
    if (key == "mode") to.syscalls = read_word<syscalls>(v, syscalls_names);
    else if (key == "deny")
      to.denied_calls = read_names(v, "names of system calls", [](std::string_view s) { return seccomp::is_call(s); });
    else v.unknown_key("mode deny");
  });
}

inline void read_limits(const json::node& n, cordon::limits& to) {
  n.members("an object of limits", [&](std::string_view key, const json::node& v) {
    limit which{};
    if (!from_name(limit_names, key, which)) v.unknown_key(joined(limit_names));
    to.set(which, read_limit(v, row_of(which).quantity));
  });
}

inline bool is_variable_pattern(std::string_view s) {
  return names::is_place(s) && (s == "*" || variable::is_name(names::stem(s)));
}

inline constexpr std::string_view variable_patterns = "names or prefixes (NAME, PRE*) of variables";

inline text_map read_variables(const json::node& n) {
  std::map<std::string, std::string> to;
  n.members("an object of names and values", [&](std::string_view name, const json::node& value) {
    const std::string_view text = value.string();
    if (!variable::is_name(name) || name.find('*') != name.npos)
      value.fail(diagnostic_code::bad_value, "a name is not empty and has no = * or NUL");
    if (text.find('\0') != text.npos) value.fail(diagnostic_code::bad_value, "a value has no NUL");
    to.emplace(name, text);
  });
  return {to.begin(), to.end()};
}

inline environment_text read_environment(const json::node& n) {
  environment_text to;
  n.members("an object with pass, set and remove", [&](std::string_view key, const json::node& v) {
    if (key == "pass") {
      if (v.is_string("any")) to.pass = std::nullopt;
      else if (v.value().is_string())
        v.fail(diagnostic_code::bad_value, "must be \"any\" or a list of names and prefixes");
      else to.pass = read_names(v, variable_patterns, is_variable_pattern);
    } else if (key == "remove") to.remove = read_names(v, variable_patterns, is_variable_pattern);
    else if (key == "set") to.set = read_variables(v);
    else v.unknown_key("pass set remove");
  });
  return to;
}

inline void read_guard(const json::node& n, document& to) {
  n.members("an object with executables and interpreters", [&](std::string_view key, const json::node& v) {
    if (key == "executables")
      to.executables = read_name_set(v, "names or paths of programs", [](std::string_view s) {
        return !s.empty() && s.find('\0') == s.npos && s.find('*') == s.npos;
      });
    else if (key == "interpreters") to.interpreters = v.boolean();
    else v.unknown_key("executables interpreters");
  });
}

} // namespace detail

/// Reads a document. Throws: bad_document.
[[nodiscard]] inline document read_cordon_json(const json::text& text, const host_facts& facts) {
  document d;
  bool versioned = false;
  const json::node root(text);
  root.members("an object, {\"cordon\": 1, ...}", [&](std::string_view key, const json::node& v) {
    using namespace detail;
    axis a{};
    if (from_name(axis_keys, key, a)) d.say(a);
    if (key == "cordon") {
      if (!v.value().is_number()) v.fail(diagnostic_code::bad_type, "must be the number 1");
      if (!v.value().is_int64() || v.value().get_int64() != 1) v.fail(diagnostic_code::bad_value, "must be 1");
      versioned = true;
    } else if (key == "profile") d.profile = read_word<profile>(v, profile_names);
    else if (key == "level") d.level = read_word<level>(v, level_names);
    else if (key == "capabilities") d.capabilities = read_name_set(v, "capabilities", capability::is_name);
    else if (key == "workspace") d.workspace = read_grants(v, facts, axis_id::workspace, d.globs);
    else if (key == "files") d.files = read_grants(v, facts, axis_id::files, d.globs);
    else if (key == "presets") {
      d.presets.emplace();
      v.each("a list of presets",
             [&](const json::node& e) { d.presets = *d.presets | read_word<preset>(e, preset_names); });
    } else if (key == "network") d.network = read_network(v);
    else if (key == "sockets") d.sockets = read_sockets(v, facts, d.globs, d.published);
    else if (key == "abilities") d.abilities = read_abilities(v);
    else if (key == "syscalls") read_syscalls(v, d);
    else if (key == "limits") read_limits(v, d.limits);
    else if (key == "environment") d.environment = read_environment(v);
    else if (key == "guard") read_guard(v, d);
    else if (key == "fallback") d.fallback = read_word<fallback>(v, fallback_names);
    else v.unknown_key(cordon_keys);
  });
  if (!versioned) root.fail(diagnostic_code::missing_key, "the key \"cordon\" is missing; its value is 1");
  return d;
}

} // namespace cordon::format
