// SPDX-License-Identifier: BSL-1.0
/// Reads the values that several formats share: words, paths, limits, lists of names.
#pragma once

#include "../policy/limit_text.hpp"
#include "document.hpp"
#include "globs.hpp"
#include "json.hpp"

#include <algorithm>
#include <functional>

namespace cordon::format {

/// One word of a table.
template <class Enum, std::size_t N>
[[nodiscard]] Enum read_word(const json::node& n, const std::array<std::string_view, N>& words) {
  Enum value{};
  const std::string_view text = n.string();
  if (from_name(words, text, value)) return value;
  n.fail(diagnostic_code::bad_value, "unknown word " + shown(text) + "; known here: " + joined(words));
}

/// A path in normal form.
[[nodiscard]] inline std::string read_path(const json::node& n, const host_facts& facts) {
  const std::string_view text = n.string("a path as a string");
  const path::normal place = path::normalize(text, facts.base, facts.home);
  if (!place) n.fail(diagnostic_code::bad_path, "bad path " + shown(text) + ": " + std::string(explain(place.why)));
  return std::string(place.view());
}

/// The text of a pattern, prefixed with its mark.
[[nodiscard]] inline std::string read_pattern(const json::node& n, const host_facts& facts) {
  std::string text = std::string(glob::mark) + std::string(n.string("a pattern as a string"));
  glob_grant unused{};
  if (const std::string why = read_glob(text, facts, unused); !why.empty()) n.fail(diagnostic_code::bad_path, why);
  return text;
}

/// A path in normal form, or the pattern of `{"glob": PATTERN}`, prefixed with its mark.
[[nodiscard]] inline std::string read_place(const json::node& n, const host_facts& facts) {
  if (n.is_string_behind(glob::mark))
    n.fail(diagnostic_code::bad_path,
           "in JSON a pattern is {\"glob\": PATTERN}; a path that begins with glob: is ./glob:...");
  if (!n.value().is_object()) return read_path(n, facts);
  std::string pattern;
  n.members("a path, or {\"glob\": ...}", [&](std::string_view key, const json::node& v) {
    if (key != "glob") v.unknown_key("glob");
    pattern = read_pattern(v, facts);
  });
  if (pattern.empty()) n.fail(diagnostic_code::missing_key, "a pattern is {\"glob\": PATTERN}");
  return pattern;
}

/// The pattern of a marked text, which must be valid: `read_pattern` has checked it.
[[nodiscard]] inline glob_grant glob_at(axis_id axis, rights allowed, std::string_view marked,
                                        const host_facts& facts) {
  glob_grant g{axis, allowed};
  (void)read_glob(marked, facts, g);
  return g;
}

/// A limit as text, or as a number, except for a duration.
[[nodiscard]] inline std::uint64_t read_limit(const json::node& n, limit_text::quantity kind) {
  const boost::json::value& v = n.value();
  std::string text;
  if (v.is_string()) text = n.string();
  else if (v.is_number() && kind != limit_text::quantity::duration) text = boost::json::serialize(v);
  else
    n.fail(diagnostic_code::bad_type, kind == limit_text::quantity::duration
                                          ? "must be a duration such as \"30s\""
                                          : "must be a number, or a text such as \"512MiB\"");
  const limit_text::parsed p = limit_text::parse(text, kind);
  if (!p) n.fail(diagnostic_code::bad_limit, "bad limit " + shown(text) + ": " + std::string(explain(p.why)));
  return p.value;
}

/// A list of strings that `valid` accepts; `what` names them in messages.
template <class Valid>
[[nodiscard]] std::vector<std::string> read_names(const json::node& n, std::string_view what, Valid&& valid) {
  std::vector<std::string> names;
  n.each("a list of " + std::string(what), [&](const json::node& e) {
    const std::string_view text = e.string();
    if (!valid(text)) e.fail(diagnostic_code::bad_value, shown(text) + " is not one of the " + std::string(what));
    names.emplace_back(text);
  });
  return names;
}

/// Refuses an empty list; such a list must be written as "none".
inline void refuse_empty(const json::node& n, std::string_view instead) {
  if (n.is_list() && n.size() == 0)
    n.fail(diagnostic_code::empty_list, "an empty list could be read as \"no limit\"; say " + std::string(instead));
}

/// Refuses the first grant for a path that an earlier grant has. O(n log n): sorts by hashes, so that few paths are
/// compared.
inline void refuse_twice(const json::node& list, const std::vector<grant>& grants) {
  struct item {
    std::size_t hash, at;
  };
  std::vector<item> items;
  items.reserve(grants.size());
  for (const grant& g : grants) items.push_back({std::hash<std::string>{}(g.place), items.size()});
  std::sort(items.begin(), items.end(), [&](item a, item b) {
    if (a.hash != b.hash) return a.hash < b.hash;
    const int order = grants[a.at].place.compare(grants[b.at].place);
    return order != 0 ? order < 0 : a.at < b.at;
  });
  std::size_t second = grants.size();
  for (std::size_t i = 1; i < items.size(); ++i)
    if (items[i].hash == items[i - 1].hash && grants[items[i].at].place == grants[items[i - 1].at].place)
      second = std::min(second, items[i].at);
  if (second == grants.size()) return;
  std::size_t i = 0;
  list.each("a list", [&](const json::node& e) {
    if (i++ == second)
      e.fail(diagnostic_code::duplicate_place,
             "the place " + shown(grants[second].place) + " is granted a second time");
  });
}

} // namespace cordon::format
