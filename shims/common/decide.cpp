// SPDX-License-Identifier: BSL-1.0
#include "decide.hpp"

#include <cordon/question.hpp>
#include <cordon/run/redact.hpp>
#include <cordon/run/refused.hpp>

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

decision choose(const availability& here, run_request& request, report& r) {
  circumstances& c = request.asked;
  c.available = here.available;
  const decision d = select(c);
  if (here.untried && (d.result == selection::refused || d.go_on_with_what_there_is)) throw refused(here.why);
  r.selected = d.result;
  r.reason = d.why;
  r.profile = c.asked_profile.value_or(c.profile);
  request.policy.profile = r.profile;
  if (c.asked_fallback) request.policy.fallback = *c.asked_fallback;
  // Else the rules would be refused for want of what the variables say may be missing.
  if (d.go_on_with_what_there_is) (void)fallback_in_force(c, request.policy.fallback);
  r.backend = d.result == selection::confined ? here.name : "none";
  if (d.result == selection::usage_error || d.result == selection::refused)
    throw refused(std::string(d.why) + (here.available || here.why.empty() ? "" : " (" + here.why + ")"));
  return d;
}

void check_no_gateway(const run_request& request) {
  if (request.gateway_port != 0) throw refused("a gateway is for macOS: here the policy's hosts are all there is");
}

void check_start(const loaded_policy& p, const std::string& program, const std::string& directory) {
  const verdict run = may_process(p, right::run, program);
  if (run.axis == axis::level)
    throw refused("level " + std::string(name(p.level)) + " starts no process; it takes process_exec");
  if (run.axis == axis::capabilities) throw refused("the policy does not grant the capability process.exec");
  if (!run.allowed())
    throw refused("the policy does not let " + program + " be run; grant it with --run " +
                  std::string(path::parent(program)) + ", or where there is a --policy by its line run " +
                  std::string(path::parent(program)));
  if (p.files().value(directory) == 0)
    throw refused("the current directory " + directory +
                  " lies outside every granted place; grant it, or name another with --cwd DIR");
}

void check_words(const loaded_policy& p, const run_request& request, std::span<const std::string_view> words,
                 report& r) {
  const auto refuse = [&](const guard_finding& g) {
    throw refused("the guard refuses " + redact(request.argv)[g.argument] + ": " + std::string(g.why()));
  };
  r.guard = check_guard(p, words, r.directory);
  const bool of_program =
      r.guard.code == guard_code::executable_refused || r.guard.code == guard_code::interpreter_refused;
  if (of_program || (r.guard.refused() && request.guard == guard_mode::refuse)) refuse(r.guard);
  if (request.egress == egress_mode::none) return;
  if (const guard_finding host = check_hosts(words, p.hosts()); host.refused()) refuse(host);
  if (request.egress == egress_mode::strict && r.selected != selection::confined)
    throw refused("egress strict: nothing here keeps the program from hosts that the policy does not allow");
}

void check_gaps(const report& r, const std::vector<std::string>& accepted) {
  if (r.profile != profile::os_hardened) return;
  std::string ids;
  for (const std::string& id : not_accepted(r.gaps, accepted)) ids += " --accept-gap " + id;
  if (!ids.empty())
    throw refused("profile os_hardened accepts no gap that it was not told of; this host leaves:" + ids);
}

} // namespace cordon::shim
