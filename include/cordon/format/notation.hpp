// SPDX-License-Identifier: BSL-1.0
/// Reads notation as a document format: an error of the core's parser becomes a message with file, line and column.
#pragma once

#include "../backend/seccomp/lookup.hpp"
#include "../notation/parse.hpp"
#include "../notation/print.hpp"
#include "../policy/preset.hpp"
#include "document.hpp"
#include "error.hpp"
#include "globs.hpp"
#include "host_text.hpp"

#include <cstdint>
#include <string>
#include <string_view>

namespace cordon::format {

namespace detail {

/// Collects the entries of paths as grants.
struct listed {
  std::vector<grant>& to;
  void add(const entry& e) const { to.push_back({std::string(e.place), rights::from_bits(e.value)}); }
};

/// The bytes that an invalid word decodes to; empty if its escapes are invalid. `word` is a part of `content`.
inline std::string bytes_of(std::string_view word, std::string_view content) {
  const bool is_quoted = word.data() > content.data() && *(word.data() - 1) == '"';
  std::string bytes(word.size(), '\0');
  std::size_t size = 0;
  if (!notation::unescape({word, is_quoted}, bytes.data(), bytes.size(), size)) return {};
  bytes.resize(size);
  return bytes;
}

/// The error message for an invalid path.
inline std::string place_message(const std::string& written, const std::string& word, const host_facts& facts) {
  if (glob_grant unused{}; glob::is_marked(written)) return read_glob(written, facts, unused);
  if (written.empty() && word.size() > 2)
    return "bad path " + word + R"(: in quotes a backslash needs \, " or xNN in small letters behind it)";
  return "bad path " + word + ": " + std::string(explain(path::normalize(written, facts.base, facts.home).why));
}

/// The correction for an error of the parser.
inline std::string notation_message(const diagnostic& d, std::string_view content, const host_facts& facts) {
  const std::string word = shown(d.subject);
  switch (d.code) {
  case diagnostic_code::syntax:
    if (d.subject == "only") return "unexpected only: it stands alone on the first line; move it there";
    return "unexpected " + word;
  case diagnostic_code::unknown_key:
    return "unknown word " + word +
           "; a line starts with only, profile, level, read, run, write, hide, allow, "
           "preset, drop, files, workspace, network, connect, refuse, sockets, listen, publish, loopback, unix, "
           "capabilities, "
           "abilities, "
           "syscalls, deny, limit, "
           "environment, pass, set, remove, executables, interpreters or fallback";
  case diagnostic_code::duplicate_key: return word + ": another line settles this already";
  case diagnostic_code::missing_key: return word + " needs a value behind it";
  case diagnostic_code::bad_value: return "bad value " + word;
  case diagnostic_code::bad_path: return place_message(bytes_of(d.subject, content), word, facts);
  case diagnostic_code::bad_pattern:
    return "bad pattern " + word + ": " + std::string(explain(parse_host(d.subject).why));
  case diagnostic_code::duplicate_place: return word + " stands here a second time";
  case diagnostic_code::unknown_call: return "deny " + word + ": no system call has that name";
  case diagnostic_code::bad_limit: return "bad limit " + word + "; such as 512MiB, 1.5h or 64";
  default: return std::string(name(d.code)) + " " + word;
  }
}

/// Reads the presets that a text names; if it drops some, all the others. Throws: bad_document.
inline void read_presets(const std::string& file, std::string_view content, const notation::parse_context& known,
                         document& to) {
  preset_set named, dropped;
  notation::each_preset(content, known, [&](const notation::word& w, bool drops) {
    preset p{};
    (void)from_name(preset_names, w.text, p);
    if ((named | dropped).has(p))
      throw bad_document(diagnostic_code::duplicate_key, file, w.line, w.column,
                         "preset " + shown(w.text) + ": named before; remove one of the two");
    preset_set& all = drops ? dropped : named;
    all = all | p;
  });
  if ((named | dropped).empty()) return;
  to.presets = dropped.empty() ? named : named | (default_presets - dropped);
}

} // namespace detail

/// How a text in the policy language is read on this host.
[[nodiscard]] inline notation::parse_context parse_context_of(const host_facts& facts) {
  const auto is_preset = [](std::string_view name) {
    preset p{};
    return from_name(preset_names, name, p);
  };
  return {facts.base, facts.home, idna_label, seccomp::is_call, true, is_preset, true};
}

/// Reads a text. Throws: bad_document.
[[nodiscard]] inline document read_notation(const std::string& file, std::string_view content,
                                            const host_facts& facts) {
  document d;
  loaded_policy& p = d.exact.emplace();
  const notation::parse_context known = parse_context_of(facts);
  const diagnostic error = notation::parse(content, p, known, &d.said);
  if (error.code != diagnostic_code::ok)
    throw bad_document(error.code, file, error.line, error.column, detail::notation_message(error, content, facts));
  detail::read_presets(file, content, known, d);
  detail::listed workspace{d.exact_workspace}, files{d.exact_files};
  notation::each_path<axis_id::workspace>(content, known, workspace);
  notation::each_path<axis_id::files>(content, known, files);
  notation::each_glob(content, known, [&](axis_id axis, rights allowed, std::string_view pattern) {
    (void)read_glob(pattern, facts, d.globs.emplace_back(glob_grant{axis, allowed}));
  });
  notation::each_published(content, known, [&](const host::published_port& port) { d.published.push_back(port); });
  return d;
}

[[nodiscard]] inline std::string write_notation(const loaded_policy& p) {
  std::string out;
  notation::print(p, [&](std::string_view piece) { out += piece; });
  return out;
}

} // namespace cordon::format
