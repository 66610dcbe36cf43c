// SPDX-License-Identifier: BSL-1.0
#include "question.hpp"

#include <cordon/backend/backends.hpp>
#include <cordon/format/host_text.hpp>
#include <cordon/format/utf8.hpp>
#include <cordon/format/write.hpp>
#include <cordon/run/host_refusal.hpp>

#include <filesystem>
#include <stdexcept>

namespace cordon::shim {
namespace {

[[nodiscard]] verdict ask_path(const loaded_policy& p, const question& q, right r, std::string_view place) {
  return q.in_process ? host_tool_may(p, r, place) : process_may(p, r, place);
}

/// The verdict of the rules of each backend that handles files, for its first target.
[[nodiscard]] std::vector<backend_verdict> verdicts_of_backends(const loaded_policy& p, right r,
                                                                std::string_view place) {
  std::vector<backend_verdict> all;
  backends::each([&]<class Backend>() {
    const auto made = compile(p, Backend::targets[0].target);
    if constexpr (requires { permits(made.rules, r, place); })
      all.push_back({Backend::name, made.error.code != diagnostic_code::ok ? "none"
                                    : permits(made.rules, r, place)        ? "allow"
                                                                           : "refuse"});
    return true;
  });
  return all;
}

[[nodiscard]] answer ask_about_path(const loaded_policy& p, const question& q) {
  right r{};
  if (!from_name(right_names, q.right, r))
    throw std::invalid_argument(
        "a question about a path has a right, one of read list run write create remove attributes connect");
  const path::normal n = q.subject.starts_with("/") ? path::normalize(q.subject) : path::normal{path::flaw::no_base};
  const axis own = q.in_process ? axis::workspace : axis::files;
  if (!n) return {{ruling::malformed, own, {}}, {}, {}, {}, {}};
  answer out{ask_path(p, q, r, n.view()), {}, {}, {}, {}};
  if (out.verdict.axis == own && !out.verdict.clause.place.empty())
    out.clause =
        std::string(out.verdict.clause.place) + " " + format::text_of(rights::from_bits(out.verdict.clause.value));
  std::error_code ec;
  const std::string real = std::filesystem::weakly_canonical(std::filesystem::path(n.view()), ec).string();
  if (!ec && real != n.view()) out.resolved = {real, ask_path(p, q, r, real).ruling};
  if (!q.in_process) out.backends = verdicts_of_backends(p, r, n.view());
  return out;
}

/// Why a host is refused; empty if it is allowed.
[[nodiscard]] std::string reason_of_host(const loaded_policy& p, const std::string& host, const verdict& v) {
  if (v.axis != axis::level) return host_refusal(host, p.hosts());
  return host_refusal(host, host_axis{}) + ": level " + std::string(name(p.level)) + " has no network";
}

[[nodiscard]] answer ask_about_command(const loaded_policy& p, const question& q, const std::string& directory) {
  const std::vector<std::string_view> argv(q.argv.begin(), q.argv.end());
  answer out{may_execute(p, argv, directory), {}, {}, {}, {}};
  out.clause = out.verdict.clause.place;
  if (out.verdict.ruling == ruling::refuse && out.verdict.axis == axis::guard)
    out.reason = reason_of(check_guard(p, argv, directory), argv, p.hosts());
  return out;
}

/// The clause of an answer: for the level and capabilities the one of the verdict.
[[nodiscard]] std::string shown_clause(const answer& a) {
  const bool level_or_capability = a.verdict.axis == axis::level || a.verdict.axis == axis::capabilities;
  return level_or_capability ? std::string(a.verdict.clause.place) : a.clause;
}

} // namespace

answer ask(const loaded_policy& p, const question& q, const std::string& directory) {
  if (q.kind == "path") return ask_about_path(p, q);
  if (q.kind == "exec") return ask_about_command(p, q, directory);
  answer out;
  if (q.kind == "host" || (q.kind == "url" && q.subject.find("://") != q.subject.npos)) {
    const host_verdict v = may_reach(p, format::parse_requested_host(q.subject));
    const verdict of_host = static_cast<const verdict&>(v); // its pattern is the clause
    return {of_host, std::string(v.pattern.view()), reason_of_host(p, q.subject, v), {}, {}};
  }
  out.verdict = q.kind == "url"       ? verdict{ruling::malformed, axis::hosts, {}}
                : q.kind == "syscall" ? may_call(p, q.subject)
                : q.kind == "ability" ? has_ability(p, q.subject)
                : q.kind == "env"     ? has_variable(p, q.subject)
                                      : has_capability(p, q.subject);
  out.clause = out.verdict.clause.place;
  return out;
}

std::string as_json(const question& q, const answer& a) {
  const std::string clause = shown_clause(a);
  return format::json_of([&](format::json_string_writer& to) {
    to.object(json_layout::compact, [&] {
      to.member("question", q.words);
      to.member("verdict", name(a.verdict.ruling));
      to.member_or_null("clause", clause);
      to.member("axis", name(a.verdict.axis));
      if (a.line != 0) to.member_number("line", a.line);
      if (a.resolved)
        to.object("resolved", json_layout::compact, [&] {
          to.member("path", a.resolved->path);
          to.member("verdict", name(a.resolved->verdict));
        });
      if (a.backends)
        to.object("backends", json_layout::compact, [&] {
          for (const backend_verdict& v : *a.backends) to.member(v.backend, v.verdict);
        });
      if (!a.reason.empty()) to.member("reason", a.reason);
    });
    to.end_line();
  });
}

std::string as_text(const question& q, const answer& a) {
  const std::string clause = shown_clause(a);
  return format::printable(std::string(name(a.verdict.ruling)) + "  " + q.words + "  (" +
                           std::string(name(a.verdict.axis)) + (clause.empty() ? ": no clause" : ": " + clause) +
                           (a.line == 0 ? "" : ", line " + std::to_string(a.line)) + ")" +
                           (a.reason.empty() ? "" : ": " + a.reason)) +
         "\n";
}

} // namespace cordon::shim
