// SPDX-License-Identifier: BSL-1.0
#include "decide.hpp"

#include <cordon/query/query.hpp>
#include <cordon/run/host_refusal.hpp>
#include <cordon/run/links.hpp>
#include <cordon/run/redact.hpp>
#include <cordon/run/refused.hpp>

#include <algorithm>
#include <filesystem>
#include <utility>

namespace cordon::shim {
namespace {

void check_text(const std::string& what, const std::string& text) {
  if (text.find('\0') != text.npos)
    throw refused(what + " has a NUL byte, where the system would cut it off; leave the byte out");
}

} // namespace

void check_texts(const run_request& request) {
  if (request.argv.empty()) throw refused("no program is given: argv is empty; its first entry names the program");
  if (request.argv.front().empty())
    throw refused("no program is given: the first entry of argv is empty; it names the program");
  for (std::size_t n = 0; n < request.argv.size(); ++n)
    check_text(n == 0 ? "the program's name" : "argument " + std::to_string(n), request.argv[n]);
  if (request.directory) check_text("the name of the directory to run in", *request.directory);
  if (request.in.from == input::source::file) check_text("the name of the file to read", request.in.text);
}

report empty_report(std::string why) {
  report r;
  r.ended.why = std::move(why);
  return r;
}

selection_result choose(const availability& here, run_request& request, report& r) {
  selection_input& c = request.asked;
  c.available = here.available;
  const selection_result d = select(c);
  if (here.untried && (d.result == selection::refused || d.apply_available_mechanisms)) throw refused(here.why);
  r.selected = d.result;
  r.reason = d.why;
  r.profile = c.asked_profile.value_or(c.profile);
  request.policy.profile = r.profile;
  if (c.asked_fallback) request.policy.fallback = *c.asked_fallback;
  // Otherwise the rules would be refused because a mechanism is missing that the variables allow to be missing.
  if (d.apply_available_mechanisms) (void)fallback_in_force(c, request.policy.fallback);
  r.backend = d.result == selection::confined ? here.name : "none";
  if (d.result == selection::usage_error || d.result == selection::refused)
    throw refused(std::string(d.why) + (here.available || here.why.empty() ? "" : " (" + here.why + ")"));
  return d;
}

void check_no_gateway(const run_request& request) {
  if (request.gateway_port != 0) throw refused("gateway_port is supported on macOS alone; leave it out");
}

void check_start(const loaded_policy& p, const std::string& program, const std::string& directory) {
  const verdict run = process_may(p, right::run, program);
  if (run.axis == axis::level)
    throw refused("level " + std::string(name(p.level)) + " starts no process; it takes process_exec");
  if (run.axis == axis::capabilities) throw refused("the policy does not grant the capability process.exec");
  if (!run.allowed())
    throw refused("the policy does not let " + program + " be run; grant it with --run " +
                  std::string(path::parent(program)) + ", or where there is a --policy by its line run " +
                  std::string(path::parent(program)));
  if (p.files().lookup(directory) == 0)
    throw refused("the current directory " + directory +
                  " lies outside every granted place; grant it, or name another with --cwd DIR");
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

/// Throws: `refused` if the arguments or the request name a host that the policy does not allow.
void check_requested(const loaded_policy& p, const run_request& request, std::span<const std::string_view> words) {
  const bool offline = p.level < level::network;
  const host_axis hosts = offline ? host_axis{} : p.hosts();
  const std::string more = offline ? ": level " + std::string(name(p.level)) + " has no network" : "";
  std::string why;
  const guard_finding found =
      check_requested_hosts(words, hosts, [&](const host::judged_host& h) { why = text_of(h) + more; });
  if (found.refused()) throw refused("the guard refuses " + redact(request.argv)[found.argument] + ": " + why);
  for (const std::string& text : request.requested_hosts)
    if (const host::judged_host h = judge_requested_host(text, format::parse_requested_host(text), hosts);
        h.is_refused())
      throw refused("a requested host is refused: " + text_of(h) + more);
}

} // namespace

void check_words(const loaded_policy& p, const run_request& request, std::span<const std::string_view> words,
                 report& r) {
  r.guard = find(p, words, r.directory);
  r.guard_reason = reason_of(r.guard, words, p.hosts());
  const bool of_program =
      r.guard.code == guard_code::executable_refused || r.guard.code == guard_code::interpreter_refused;
  if (of_program || (r.guard.refused() && request.guard == guard_mode::refuse))
    throw refused("the guard refuses " + redact(request.argv)[r.guard.argument] + ": " + r.guard_reason);
  if (request.egress == egress_mode::none) return;
  check_requested(p, request, words);
  if (request.egress == egress_mode::strict && r.selected != selection::confined)
    throw refused("egress strict: nothing here keeps the program from hosts that the policy does not allow");
}

void check_gaps(const report& r, const std::vector<std::string>& accepted) {
  if (r.profile != profile::os_hardened) return;
  std::string ids;
  for (const std::string& id : unaccepted_gaps(r.gaps, accepted)) ids += " --accept-gap " + id;
  if (!ids.empty())
    throw refused("profile os_hardened: this host cannot enforce the following; accept each with --accept-gap:" + ids);
}

} // namespace cordon::shim
