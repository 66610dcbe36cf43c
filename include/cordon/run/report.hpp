// SPDX-License-Identifier: BSL-1.0
/// The report of a run as JSON, keys in a fixed order.
#pragma once

#include "../format/write.hpp"
#include "../version.hpp"
#include "digest.hpp"
#include "redact.hpp"
#include "run.hpp"

namespace cordon {

namespace detail {

inline std::string json_list(const std::vector<std::string>& texts) {
  std::vector<std::string> quoted;
  for (const std::string& t : texts) quoted.push_back(format::as_json(t));
  return format::json_array(quoted);
}

/// One object a line.
template <class List, class Text> std::string json_lines(const List& items, Text&& text) {
  std::string out;
  for (const auto& i : items) out += (out.empty() ? "\n    " : ",\n    ") + text(i);
  return "[" + out + (out.empty() ? "]" : "\n  ]");
}

/// Indents a document, for use as the value of a member.
inline std::string indented(std::string text) {
  while (!text.empty() && text.back() == '\n') text.pop_back();
  for (std::size_t at = 0; (at = text.find('\n', at)) != text.npos; at += 3) text.insert(at + 1, "  ");
  return text;
}

/// The policy without the values that it sets for variables whose names indicate secrets.
inline loaded_policy without_secrets(const loaded_policy& p) {
  loaded_policy shown = p;
  if (p.is_any<axis_id::environment>()) return shown;
  const auto all = p.environment();
  (void)shown.write<axis_id::environment>([&](auto& out) {
    for (std::uint32_t i = 0; i < all.size(); ++i) {
      auto entry = all[i];
      if (!entry.payload.empty() && is_secret_name(all.place(i))) entry.payload = redacted;
      out.add(entry);
    }
  });
  return shown;
}

} // namespace detail

[[nodiscard]] inline std::string to_json(const report& r) {
  using format::as_json;
  std::string out = "{\n  \"cordon_report\": 1";
  const auto put = [&](std::string_view key, const std::string& value) {
    out += ",\n  \"" + std::string(key) + "\": " + value;
  };
  const auto text = [](std::string_view s) { return as_json(s); };
  put("cordon", text(version));
  put("run", r.id.run.empty() ? "null" : text(r.id.run));
  put("started", r.id.started == 0 ? "null" : text(utc_text(r.id.started)));
  put("host", r.id.host.empty() ? "null" : text(r.id.host));
  put("executor", text(std::string(platform_names[static_cast<std::size_t>(r.id.on)]) + "/" +
                       (r.backend.empty() ? "none" : r.backend)));
  put("argv", detail::json_list(redact(r.argv)));
  put("program", r.program.empty() ? "null" : text(r.program));
  put("directory", r.directory.empty() ? "null" : text(r.directory));
  put("project", !r.project ? "null"
                            : "{\"path\": " + (r.project->root.empty() ? "null" : text(r.project->root)) +
                                  ", \"why\": " + text(r.project->why) + "}");
  put("profile", text(name(r.profile)));
  put("selected", text(selection_names[static_cast<std::size_t>(r.selected)]));
  put("backend", text(r.backend));
  put("reason", r.reason.empty() ? "null" : text(r.reason));
  put("guard", r.guard.refused() ? "{\"code\": " + text(name(r.guard.code)) + ", \"argument\": " +
                                       std::to_string(r.guard.argument) + ", \"why\": " + text(r.guard_reason) + "}"
                                 : "null");
  put("mechanisms", detail::json_lines(r.mechanisms, [&](const mechanism& m) {
        return "{\"name\": " + text(m.name) + ", \"version\": " + text(m.version) +
               ", \"verified\": " + text(m.verified) + "}";
      }));
  put("gaps", detail::json_lines(r.gaps, [&](const reported_gap& g) {
        return "{\"id\": " + text(g.id) + ", \"kind\": " + text(name(g.kind)) + ", \"why\": " + text(g.why) + "}";
      }));
  put("limits", detail::json_lines(r.limits, [&](const stated_limit& l) {
        return "{\"limit\": " + text(name(l.which)) + ", \"value\": " + std::to_string(l.value) +
               ", \"class\": " + text(l.grade) + ", \"by\": " + text(l.by) + "}";
      }));
  put("arguments_added", detail::json_list(r.added_arguments));
  put("environment_added", detail::json_list(r.added_environment));
  put("environment_dropped", detail::json_list(r.dropped_environment));
  put("outcome", text(name(r.ended.how)));
  put("number", std::to_string(static_cast<std::uint32_t>(r.ended.number)));
  put("why", r.ended.why.empty() ? "null" : text(r.ended.why));
  put("status", std::to_string(static_cast<std::uint32_t>(exit_status(r.ended))));
  put("wall_ns", std::to_string(r.ended.wall));
  put("cpu_ns", std::to_string(r.ended.cpu));
  put("memory_bytes", std::to_string(r.ended.memory));
  put("output_bytes", std::to_string(r.ended.output_bytes));
  std::vector<std::string> looked_for;
  if (r.sees_calls) looked_for.emplace_back("seccomp");
  if (r.sees_errors) looked_for.emplace_back("stderr");
  put("denials_looked_for", detail::json_list(looked_for));
  put("denials", detail::json_lines(r.denials, [&](const denial& d) {
        return "{\"seen\": " + text(name(d.seen)) + ", \"what\": " + text(d.what) +
               ", \"times\": " + std::to_string(d.times) + "}";
      }));
  put("policy_digest", r.policy ? text(digest_of(format::write_json(*r.policy))) : "null");
  put("policy", r.policy ? detail::indented(format::write_json(detail::without_secrets(*r.policy))) : "null");
  return out + "\n}\n";
}

} // namespace cordon
