// SPDX-License-Identifier: BSL-1.0
/// Reading the values that several formats share: words, paths, limits, lists of names.
#pragma once

#include "../limit_text.hpp"
#include "document.hpp"
#include "json.hpp"

#include <algorithm>
#include <functional>

namespace cordon::format {

/// One word out of a table.
template <class Enum, std::size_t N>
[[nodiscard]] Enum read_word(const json::node& n, const std::array<std::string_view, N>& words) {
  Enum value{};
  const std::string_view text = n.string();
  if (from_name(words, text, value)) return value;
  std::string known;
  for (const std::string_view w : words) known += known.empty() ? std::string(w) : " " + std::string(w);
  n.fail(errc::bad_value, "unknown word " + shown(text) + "; known here: " + known);
}

/// A path in normal form.
[[nodiscard]] inline std::string read_path(const json::node& n, const host_facts& facts) {
  const std::string_view text = n.string("a path as a string");
  const path::normal place = path::normalize(text, facts.base, facts.home);
  if (!place) n.fail(errc::bad_path, "bad path " + shown(text) + ": " + std::string(explain(place.why)));
  return std::string(place.view());
}

/// A limit as text, or as a number where that has no unit.
[[nodiscard]] inline std::uint64_t read_limit(const json::node& n, limit_text::kind kind) {
  const boost::json::value& v = n.value();
  std::string text;
  if (v.is_string()) text = n.string();
  else if (v.is_number() && kind != limit_text::kind::duration) text = boost::json::serialize(v);
  else
    n.fail(errc::bad_type, kind == limit_text::kind::duration ? "must be a duration such as \"30s\""
                                                              : "must be a number, or a text such as \"512MiB\"");
  const limit_text::parsed p = limit_text::parse(text, kind);
  if (!p) n.fail(errc::bad_limit, "bad limit " + shown(text) + ": " + std::string(explain(p.why)));
  return p.value;
}

/// A list of strings that `valid` accepts; `what` says what they are.
template <class Valid>
[[nodiscard]] std::vector<std::string> read_names(const json::node& n, std::string_view what, Valid&& valid) {
  std::vector<std::string> names;
  n.each("a list of " + std::string(what), [&](const json::node& e) {
    const std::string_view text = e.string();
    if (!valid(text)) e.fail(errc::bad_value, shown(text) + " is not one of the " + std::string(what));
    names.emplace_back(text);
  });
  return names;
}

/// A list that must say "none" where it would be empty.
inline void refuse_empty(const json::node& n, std::string_view instead) {
  if (n.is_list() && n.size() == 0)
    n.fail(errc::empty_list, "an empty list could be read as \"no limit\"; say " + std::string(instead));
}

/// Stops at the first grant for a place that has one already. O(n log n): sorted by hashes, so that the places
/// themselves are hardly looked at.
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
      e.fail(errc::duplicate_place, "the place " + shown(grants[second].place) + " is granted a second time");
  });
}

} // namespace cordon::format
