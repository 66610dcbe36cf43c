// SPDX-License-Identifier: BSL-1.0
/// JSON Schema (draft 2020-12) of cordon JSON and of the report of a run. Its words come from the tables that reader
/// and writer use. Rules that a schema cannot express are in its descriptions. A schema never refuses a document that
/// the reader accepts.
#pragma once

#include "../../backend/seccomp/table.hpp"
#include "../../gap/plan.hpp"
#include "../../policy/abilities.hpp"
#include "../../policy/capabilities.hpp"
#include "../../policy/limit_text.hpp"
#include "../../policy/policy.hpp"
#include "../../policy/preset.hpp"
#include "../json_string.hpp"
#include "schema_document.hpp"
#include "schema_patterns.hpp"
#include "schema_report.hpp"

#include <iterator>
#include <map>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

namespace cordon::format {

/// The subject of a schema.
enum class described : std::uint8_t { document, report };

/// Names of the enumerators, by value.
inline constexpr std::array<std::string_view, 2> described_names{"document", "report"};
/// Returns: the name of what a schema describes.
[[nodiscard]] constexpr std::string_view name(described d) { return described_names[static_cast<std::size_t>(d)]; }

/// The words of a report that only the runner defines.
struct report_words {
  std::span<const std::string_view> selections; ///< the names of selections
  std::span<const std::string_view> outcomes;   ///< the names of outcomes
};

namespace detail {

/// `"a", "b"`, in lines of about 100 characters. After a line of 99 or 100 characters the next one is appended without
/// a line end, because the schemas that are in use have it so.
inline std::string quoted(std::span<const std::string_view> words) {
  constexpr std::size_t quotes = 2, separator = 2, longest = 100;
  return json_of([&](json_string_writer& to) {
    to.resume(json_layout::filled, 4, false);
    std::size_t line = 0;
    for (const std::string_view w : words) {
      if (line > longest) to.start_line();
      line = line == 0 || line + separator > longest ? 0 : line + separator;
      to.text(w);
      line += quotes + w.size();
    }
  });
}

inline std::string call_words() {
  std::vector<std::string_view> words;
  words.reserve(std::size(seccomp::calls));
  for (const seccomp::call& c : seccomp::calls) words.push_back(c.name);
  return quoted(words);
}

inline constexpr std::string_view of_document =
    "What a program may do. Every key but cordon may be left out. An axis that is left out is any: the other documents "
    "of a composition decide it. none allows nothing, and a composition keeps it. The reader alone detects: a repeated "
    "key, two grants for one path, ~ without an absolute $HOME, paths over 4095 bytes, limits over 2^63-1 or with a "
    "fraction of a byte or nanosecond, descending ranges of ports, prefixes with bits of the host set, invalid "
    "international names, and numbers that are written with a fraction or an exponent.";

/// One member for each limit: the form of its text, and its meaning.
inline std::string limit_members() {
  return json_of([&](json_string_writer& to) {
    to.resume(json_layout::hanging, 6, false);
    for (const limit_row& l : limit_table)
      to.object(l.name, json_layout::one_line, [&] {
        to.member("description", l.meaning);
        to.key("$ref");
        to.text("#/$defs/", limit_text::name(l.quantity));
      });
  });
}

/// The text with each `@key@` replaced. Throws: logic_error for a key without a value.
inline std::string filled(std::string_view text, const std::map<std::string_view, std::string>& values) {
  std::string out;
  for (;;) {
    const std::size_t at = text.find('@');
    out += text.substr(0, at);
    if (at == text.npos) return out;
    const std::size_t end = text.find('@', at + 1);
    const auto value = values.find(text.substr(at + 1, end - at - 1));
    if (value == values.end()) throw std::logic_error("cordon: a schema has a key without a value");
    out += value->second;
    text.remove_prefix(end + 1);
  }
}

/// The words as alternatives of a pattern.
template <std::size_t N> std::string alternatives(const std::array<std::string_view, N>& words) {
  std::string all;
  for (const std::string_view w : words) all += (all.empty() ? "" : "|") + std::string(w);
  return all;
}

} // namespace detail

/// The schema as JSON text, formatted for reading.
[[nodiscard]] inline std::string schema(described what, const report_words& report) {
  using namespace detail;
  const bool document = what == described::document;
  const std::array<std::string_view, 2> gap_kinds{name(gap_kind::tightened), name(gap_kind::unenforced)};
  std::vector<std::string_view> ability_words(ability_names.begin(), ability_names.end());
  ability_words.push_back(debugging_word);
  std::map<std::string_view, std::string> values{
      {"root", std::string(name(what))},
      {"title", document ? "cordon policy document" : "cordon run report"},
      {"of_document", as_json(of_document)},
      {"profiles", quoted(profile_names)},
      {"levels", quoted(level_names)},
      {"fallbacks", quoted(fallback_names)},
      {"rights", quoted(right_names)},
      {"verbs", quoted(verb_names)},
      {"presets", quoted(preset_names)},
      {"abilities", quoted(ability_words)},
      {"capabilities", quoted(capability::known)},
      {"syscalls", quoted(syscalls_names)},
      {"calls", call_words()},
      {"limits", quoted(limit_names)},
      {"limit_members", limit_members()},
      {"gap_kinds", quoted(gap_kinds)},
      {"selections", quoted(report.selections)},
      {"outcomes", quoted(report.outcomes)},
      {"greatest", std::to_string(limits::greatest)},
      {"platforms", alternatives(platform_names)},
      {"last_port", std::to_string(host::last_port)},
  };
  schema_pattern::each([&](std::string_view key, const std::string& pattern) { values[key] = as_json(pattern); });
  return filled(schema_document, values) + filled(schema_report, values);
}

} // namespace cordon::format
