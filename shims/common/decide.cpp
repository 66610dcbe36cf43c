// SPDX-License-Identifier: BSL-1.0
#include "decide.hpp"

#include "trusted_files.hpp"

#include <cordon/format/place.hpp>
#include <cordon/format/service/services.hpp>
#include <cordon/gap/run_gap_types.hpp>
#include <cordon/guard/guard.hpp>
#include <cordon/query/query.hpp>
#include <cordon/run/globs/globs.hpp>
#include <cordon/run/host_refusal.hpp>
#include <cordon/run/links/links.hpp>
#include <cordon/run/reasons.hpp>
#include <cordon/run/redact.hpp>
#include <cordon/run/refused.hpp>
#include <cordon/run/selection.hpp>

#include <algorithm>
#include <filesystem>
#include <utility>

namespace cordon::shim {
namespace {

void check_text(const std::string& what, const std::string& text) {
  if (text.find('\0') != text.npos) throw refused::because<reasons::nul_byte>(what);
}

} // namespace

void check_texts(const run_request& request) {
  if (request.argv.empty()) throw refused::because<reasons::argv_empty>();
  if (request.argv.front().empty()) throw refused::because<reasons::program_empty>();
  for (std::size_t n = 0; n < request.argv.size(); ++n)
    check_text(n == 0 ? "the program's name" : "argument " + std::to_string(n), request.argv[n]);
  if (request.directory) check_text("the name of the directory to run in", *request.directory);
  if (request.in.from == input::source::file) check_text("the name of the file to read", request.in.text);
}

report empty_report(const reason& why) {
  report r;
  r.ended.why = why.text;
  r.ended.refusal = why.id;
  return r;
}

selection_result choose(const availability& here, run_request& request, report& r) {
  selection_input& c = request.asked;
  c.available = here.available;
  const selection_result d = select(c);
  if (here.untried && (d.result == selection::refused || d.apply_available_mechanisms))
    throw refused::because<reasons::untried>(here.why);
  r.selected = d.result;
  r.reason = d.why.text;
  r.profile = c.asked_profile.value_or(c.profile);
  request.policy.profile = r.profile;
  if (c.asked_fallback) request.policy.fallback = *c.asked_fallback;
  // Otherwise the rules would be refused because a mechanism is missing that the variables allow to be missing.
  if (d.apply_available_mechanisms) (void)fallback_in_force(c, request.policy.fallback);
  r.backend = d.result == selection::confined ? here.name : "none";
  if (d.result == selection::usage_error || d.result == selection::refused)
    throw refused::with_more(d.why, here.available || here.why.empty() ? "" : " (" + here.why + ")");
  return d;
}

void check_no_gateway(const run_request& request) {
  if (request.gateway_port != 0) throw refused::because<reasons::gateway_port>();
}

void check_no_publishing(const run_request& request) {
  if (!request.publish.empty()) throw refused::because<reasons::publish_elsewhere>();
}

void check_no_input_pipe(const run_request& request) {
  if (request.in.from == input::source::pipe) throw refused::because<reasons::input_pipe>();
}

void check_start(const loaded_policy& p, const std::string& program, const std::string& directory) {
  const verdict run = process_may(p, right::run, program);
  if (run.axis == axis::level) throw refused::because<reasons::level_starts_none>(name(p.level));
  if (run.axis == axis::capabilities) throw refused::because<reasons::no_capability>();
  if (!run.allowed()) throw refused::because<reasons::program_not_granted>(program, path::parent(program));
  if (p.files().lookup(directory) == 0) throw refused::because<reasons::directory_not_granted>(directory);
}

namespace {

/// The most look-ups for the arguments of a run. A component of a path counts as one, a link as `looks_of_link`.
constexpr std::size_t most_looks = 16384, looks_of_link = 64;

bool leads_inside(const guard::surroundings& where, std::string_view path) {
  return guard::grants(where, detail::follow(path).end);
}

/// Finds paths that lead, through links, to a path without grants. Also finds existing files without grants that an
/// argument names after several option letters.
class link_finder {
public:
  explicit link_finder(const guard::surroundings& where) : where_(where) {}

  bool operator()(std::string_view path) {
    if (path.empty() || path.front() == '-' || path.size() > path::longest || !where_.cwd.starts_with('/'))
      return false;
    const std::string place =
        path.front() == '/' ? std::string(path) : std::string(where_.cwd) + "/" + std::string(path);
    looks_ += static_cast<std::size_t>(std::count(place.begin(), place.end(), '/'));
    if (looks_ > most_looks || guard::is_device(place)) return false;
    const detail::followed to = detail::follow(place);
    looks_ += looks_of_link * to.links.size();
    if (guard::grants(where_, to.end)) return false;
    std::error_code ec;
    return !to.links.empty() || std::filesystem::exists(to.end, ec);
  }

private:
  guard::surroundings where_;
  std::size_t looks_ = 0;
};

/// The guard's findings, with links followed. Inline code is no finding if the policy does not limit programs.
guard_finding find(const loaded_policy& p, std::span<const std::string_view> words, std::string_view directory) {
  guard::surroundings where = surroundings_of(p, directory);
  where.leads_inside = leads_inside;
  guard_finding found = check_guard(words, p.executables(), p.interpreters, p.hosts(), where);
  if (found.code == guard_code::inline_code_refused && !limits_programs(p))
    found = check_arguments(words, p.hosts(), where);
  if (!where.are_known() || (found.refused() && found.code != guard_code::host_refused)) return found;
  link_finder leads_out(where);
  const guard_finding link = find_path(words, leads_out);
  return link.refused() ? link : found;
}

/// Does the policy in force let the program use the service? Another policy may have taken that away.
[[nodiscard]] bool may_use(const loaded_policy& p, const format::granted_service& s) {
  return std::any_of(s.places.begin(), s.places.end(), [&](const std::string& place) {
    std::error_code ec;
    const std::string real = place_of(std::filesystem::weakly_canonical(path_at(place), ec));
    return !(rights::from_bits(p.files().lookup(real)) & (right::connect | right::write)).empty();
  });
}

/// One gap is enough for all settings that the policy in force leaves writable.
void state_settings(std::vector<reported_gap>& to, const loaded_policy& p, const project_settings& settings) {
  const auto can_change = [&](std::string_view place) {
    constexpr rights changes = right::write | right::create | right::remove | right::attributes;
    return !(rights::from_bits(p.files().lookup(place)) & changes).empty();
  };
  const auto open = [&](const project_setting& s) { return can_change(s.place); };
  if (std::any_of(settings.places.begin(), settings.places.end(), open))
    to.push_back(gap_of(run_gaps::project_settings, settings.root));
  for (const std::string& place : settings.open)
    if (can_change(place)) to.push_back(gap_of(run_gaps::project_settings, place));
}

/// Throws: `refused` if the arguments or the request name a host that the policy does not allow.
void check_requested(const loaded_policy& p, const run_request& request, std::span<const std::string_view> words) {
  const bool offline = p.level < level::network;
  const host_axis hosts = offline ? host_axis{} : p.hosts();
  const std::string more = offline ? ": level " + std::string(name(p.level)) + " has no network" : "";
  std::string why;
  const guard_finding found =
      check_requested_hosts(words, hosts, [&](const host::judged_host& h) { why = text_of(h) + more; });
  if (found.refused()) throw refused::because<reasons::guard_refuses>(redact(request.argv)[found.argument], why);
  for (const std::string& text : request.requested_hosts)
    if (const host::judged_host h = judge_requested_host(text, format::parse_requested_host(text), hosts);
        h.is_refused())
      throw refused::because<reasons::host_refused>(text_of(h) + more);
}

} // namespace

void state_services(std::vector<reported_gap>& to, const std::vector<format::granted_service>& services) {
  for (const format::granted_service& s : services) {
    const std::string what(name(s.which));
    if (s.places.empty()) to.push_back(gap_of(run_gaps::service_missing, what));
    else
      to.push_back(gap_of(run_gaps::service_granted, what,
                          "through the service the program can " + std::string(format::risk_of(s.which))));
  }
}

void check_words(const loaded_policy& p, const run_request& request, std::span<const std::string_view> words,
                 report& r) {
  r.guard = find(p, words, r.directory);
  r.guard_reason = reason_of(r.guard, words, p.hosts());
  const bool of_program =
      r.guard.code == guard_code::executable_refused || r.guard.code == guard_code::interpreter_refused;
  if (of_program || (r.guard.refused() && request.guard == guard_mode::refuse))
    throw refused::because<reasons::guard_refuses>(redact(request.argv)[r.guard.argument], r.guard_reason);
  if (request.egress == egress_mode::none) return;
  check_requested(p, request, words);
  if (request.egress == egress_mode::strict && r.selected != selection::confined)
    throw refused::because<reasons::egress_unconfined>();
}

void state_run_gaps(std::vector<reported_gap>& to, const loaded_policy& p, const run_request& request) {
  state_later(to, request.globs);
  state_settings(to, p, request.settings);
  std::vector<format::granted_service> open = request.services;
  std::erase_if(open, [&](const format::granted_service& s) { return !s.places.empty() && !may_use(p, s); });
  state_services(to, open);
  state_writable(to, p, request.trusted_files);
}

void check_gaps(const report& r, const std::vector<std::string>& accepted) {
  if (r.profile != profile::os_hardened) return;
  std::string ids;
  for (const std::string& id : unaccepted_gaps(r.gaps, accepted)) ids += " " + id;
  if (!ids.empty()) throw refused::because<reasons::gaps_not_accepted>(ids);
}

} // namespace cordon::shim
