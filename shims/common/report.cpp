// SPDX-License-Identifier: BSL-1.0
#include <cordon/run/report.hpp>

#include <cordon/format/write.hpp>
#include <cordon/run/digest.hpp>
#include <cordon/run/redact.hpp>
#include <cordon/version.hpp>

namespace cordon {

namespace {

/// The policy without the values that it sets for variables whose names indicate secrets.
loaded_policy without_secrets(const loaded_policy& p) {
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

void write_identity(format::json_string_writer& to, const report& r) {
  to.member("cordon", version);
  to.member_or_null("run", r.id.run);
  to.member_or_null("started", r.id.started == 0 ? std::string() : utc_text(r.id.started));
  to.member_or_null("host", r.id.host);
  to.key("executor");
  to.text(platform_names[static_cast<std::size_t>(r.id.on)], "/", r.backend.empty() ? "none" : r.backend);
}

void write_command(format::json_string_writer& to, const report& r) {
  to.member_texts("argv", redact(r.argv));
  to.member_or_null("program", r.program);
  to.member_or_null("directory", r.directory);
  to.member_or_null("session", r.session);
  std::vector<std::string> published;
  for (const host::published_port& p : r.published) published.emplace_back(text_of(p).view());
  to.member_texts("published", published);
  to.key("project");
  if (!r.project) return to.null();
  to.object(json_layout::one_line, [&] {
    to.member_or_null("path", r.project->root);
    to.member("why", r.project->why);
  });
}

void write_guard(format::json_string_writer& to, const report& r) {
  to.key("guard");
  if (!r.guard.refused()) return to.null();
  to.object(json_layout::one_line, [&] {
    to.member("code", name(r.guard.code));
    to.member_number("argument", r.guard.argument);
    to.member("why", r.guard_reason);
  });
}

void write_selection(format::json_string_writer& to, const report& r) {
  to.member("profile", name(r.profile));
  to.member("selected", name(r.selected));
  to.member("backend", r.backend);
  to.member_or_null("reason", r.reason);
}

/// What was in force.
void write_enforcement(format::json_string_writer& to, const report& r) {
  to.member_objects("mechanisms", r.mechanisms, [&](const mechanism& m) {
    to.member("name", m.name);
    to.member("version", m.version);
    to.member("verified", m.verified);
  });
  to.member_objects("gaps", r.gaps, [&](const reported_gap& g) {
    to.member("id", g.id);
    to.member("kind", name(g.kind));
    to.member("why", g.why);
  });
  to.member_objects("limits", r.limits, [&](const stated_limit& l) {
    to.member("limit", name(l.which));
    to.member_number("value", l.value);
    to.member("class", l.grade);
    to.member("by", l.by);
  });
}

void write_changes(format::json_string_writer& to, const report& r) {
  to.member_texts("arguments_added", r.added_arguments);
  to.member_texts("environment_added", r.added_environment);
  to.member_texts("environment_dropped", r.dropped_environment);
}

void write_outcome(format::json_string_writer& to, const outcome& ended) {
  to.member("outcome", name(ended.how));
  to.member_number("number", static_cast<std::uint32_t>(ended.number)); // Windows has 32 bits
  to.member_or_null("why", ended.why);
  to.member_or_null("refusal", ended.refusal);
  to.key("status");
  if (ended.how == ending::started) to.null();
  else to.number(static_cast<std::uint32_t>(exit_status(ended)));
  to.member_number("wall_ns", ended.wall);
  to.member_number("cpu_ns", ended.cpu);
  to.member_number("memory_bytes", ended.memory);
  to.member_number("output_bytes", ended.output_bytes);
}

void write_denials(format::json_string_writer& to, const report& r) {
  to.list("denials_looked_for", json_layout::one_line, [&] {
    if (r.sees_calls) to.text("seccomp");
    if (r.sees_errors) to.text("stderr");
  });
  to.member_objects("denials", r.denials, [&](const denial& d) {
    to.member("seen", name(d.seen));
    to.member("what", d.what);
    to.member_number("times", d.times);
  });
}

void write_policy(format::json_string_writer& to, const report& r) {
  to.member_or_null("policy_digest", r.policy ? digest_of(format::write_json(*r.policy)) : std::string());
  to.key("policy");
  if (r.policy) format::write_json(to, without_secrets(*r.policy));
  else to.null();
}

} // namespace

std::string cordon::abi_0::to_json(const report& r) {
  return format::json_of([&](format::json_string_writer& to) {
    to.object(json_layout::lines, [&] {
      to.member_number("cordon_report", 1);
      write_identity(to, r);
      write_command(to, r);
      write_selection(to, r);
      write_guard(to, r);
      write_enforcement(to, r);
      write_changes(to, r);
      write_outcome(to, r.ended);
      write_denials(to, r);
      write_policy(to, r);
    });
    to.end_line();
  });
}

} // namespace cordon
