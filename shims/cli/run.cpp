// SPDX-License-Identifier: BSL-1.0
#include "../common/host.hpp"
#include "../common/report_file.hpp"
#include "key.hpp"
#include "named_value.hpp"
#include "policy_options.hpp"
#include "progress_line.hpp"
#include "refusal_text.hpp"
#include "run_messages.hpp"
#include "subcommand.hpp"

#include <cordon/format/place.hpp>
#include <cordon/format/write.hpp>
#include <cordon/gap/run_gap_types.hpp>
#include <cordon/run/digest.hpp>
#include <cordon/run/reasons.hpp>
#include <cordon/run/record.hpp>
#include <cordon/run/report.hpp>
#include <cordon/run/run.hpp>

#include <cstdio>
#include <filesystem>
#include <memory>
#include <set>

namespace cordon::cli {
namespace {

struct run_options {
  policy_options policy;
  std::string backend = "auto", guard = "report", egress = "none";
  std::vector<std::string> accepted_gaps, requested_hosts, publish;
  std::string stdin_mode = "pass";
  std::optional<std::string> session, directory, report_file, record_file, key;
  bool json = false, quiet = false;
  std::vector<std::string> argv;
};

/// Warns about a run without a project, or with another one than its files mark: the user probably expects that.
void print_project(const project_choice& p) {
  if (p.is_kept) complain("the project is " + p.root + ": " + p.why);
  if (p.root.empty())
    complain("no workspace can be written: " + p.why + "; change into a project, or name a directory with --workspace");
}

/// Names the option, once a day for each user: a program that may not change them blames a busy or read-only file.
void print_protection(const report& r, const std::string& root) {
  const bool is_open = std::any_of(r.gaps.begin(), r.gaps.end(), [&](const reported_gap& g) {
    return g.id == gap_id(run_gaps::project_settings.id, root);
  });
  if (r.selected != selection::confined || root.empty() || is_open) return;
  if (shim::is_first_within("project-settings", 24 * 60 * 60))
    complain("the program cannot change .git/config, .git/hooks, .vscode and other settings of " + root +
             " on which programs act by themselves; empty directories take the paths of missing ones while it runs; "
             "to let it: --allow-project-settings");
}

/// Warns about a path with a star that does not exist: the user probably meant a pattern.
void warn_about_stars(const named_places& named) {
  std::set<std::string> warned;
  for (const auto* places : {&named.files, &named.workspace})
    for (const named_place& n : *places) {
      std::error_code ec;
      const auto there = std::filesystem::symlink_status(path_at(n.place), ec);
      if (n.place.find_first_of("*?[") == n.place.npos || exists(there) || !warned.insert(n.place).second) continue;
      complain(n.place + " does not exist, and a path means what it says: for all that matches write glob:" + n.place);
    }
}

/// Writes the report and the record of a run, with an attestation if there is a key.
class run_outputs {
public:
  /// Throws: `refused`, bad_document, usage_error.
  explicit run_outputs(const run_options& o) : to_stdout_(o.report_file == "-") {
    if (o.key && !o.report_file && !o.record_file) throw usage_error("--key attests a --report or a --record");
    if (o.key) key_.emplace(*o.key);
    if (o.report_file && !to_stdout_) report_.emplace(*o.report_file);
    // The record contains arguments, values and output without redaction.
    if (o.record_file) record_.emplace(*o.record_file, shim::report_file::readers::owner);
  }

  void listen(run_request& request) {
    if (record_) recorder_.emplace(request);
  }
  /// Finds output files that cannot be written before the program starts. Throws: `refused`.
  void begin(const report& now) const {
    if (key_ && now.policy) key_->check_hidden(*now.policy);
    if (record_ && now.policy && !format::can_be_json(*now.policy)) throw refused::because<reasons::policy_not_utf8>();
    if (report_ && !report_->is_stream()) report_->write(attested(to_json(now)));
    if (record_) record_->check(); // an earlier record remains until the new one is complete
  }
  /// Reports errors after the run without changing its outcome. Returns: false if a directory was replaced meanwhile:
  /// the file at the report's name is then not cordon's.
  [[nodiscard]] bool end(const report& r) {
    try {
      if (to_stdout_) std::fputs(attested(to_json(r)).c_str(), stdout);
      if (report_) report_->write(attested(to_json(r)));
      if (record_ && r.ended.how != ending::refused) record_->write(attested(to_json(std::move(*recorder_).finish(r))));
    } catch (const refused& e) { complain(text_of(e)); }
    bool in_place = true;
    for (const std::optional<shim::report_file>* file : {&report_, &record_})
      if (*file && !(*file)->is_in_its_place()) {
        in_place = false;
        complain((*file)->path() +
                 ": its directory was replaced while the program ran; cordon did not write the file that is there now");
      }
    return in_place;
  }

private:
  [[nodiscard]] std::string attested(const std::string& text) const {
    return key_ ? attest(text, key_->bytes()) : text;
  }

  bool to_stdout_;
  std::optional<attestation_key> key_;
  std::optional<shim::report_file> report_, record_;
  std::optional<recorder> recorder_;
};

[[nodiscard]] input input_of(const std::string& mode) {
  if (mode != "pass" && mode != "relay") throw usage_error("--stdin takes pass or relay");
  input in;
  in.relayed = mode == "relay";
  return in;
}

[[nodiscard]] selection_input selection_of(const run_options& o) {
  selection_input asked = circumstances_of_variables();
  asked.backend = named_value<launcher_id>("--backend", launcher_names, o.backend);
  if (o.policy.profile) asked.asked_profile = named_value<profile>("--profile", profile_names, *o.policy.profile);
  return asked;
}

[[nodiscard]] host::published_port published(const std::string& text) {
  const host::parsed_published_port p = host::parse_published_port(text);
  if (!p)
    throw usage_error("--publish " + text +
                      ": write [ADDRESS:]PORT[:PORT], such as 8080, 8080:80 or 192.0.2.7:8080:80, with ports from 1");
  return p.value;
}

/// The request of the options alone, before a policy is loaded.
[[nodiscard]] run_request request_of(const run_options& o) {
  run_request request;
  request.argv = o.argv;
  request.owns_process = true;
  request.accepted_gaps = o.accepted_gaps;
  request.trusted_files = o.policy.files;
  for (const auto& file : {o.report_file, o.record_file, o.key})
    if (file && *file != "-") request.trusted_files.push_back(*file);
  request.requested_hosts = o.requested_hosts;
  request.asked = selection_of(o);
  request.guard = named_value<guard_mode>("--guard", guard_mode_names, o.guard);
  request.egress = named_value<egress_mode>("--egress", egress_mode_names, o.egress);
  request.in = input_of(o.stdin_mode);
  for (const std::string& text : o.publish) request.publish.push_back(published(text));
  if (o.session && o.session->empty()) throw usage_error("--session takes a name");
  if (o.session) request.session = *o.session;
  return request;
}

void add_policy(run_request& request, policy_of_run found) {
  request.directory = std::move(found.directory);
  request.project = std::move(found.project);
  request.settings = std::move(found.settings);
  request.policy = std::move(found.asked.policy);
  request.links = std::move(found.asked.links);
  request.globs = std::move(found.asked.globs);
  request.asked.written_fallback = found.asked.written_fallback;
  for (const host::published_port& p : found.asked.published) request.publish.push_back(p);
  request.services = std::move(found.asked.services);
}

/// Returns: how the command ends.
outcome carry_out_run(const run_options& o) {
  if (o.argv.empty()) throw usage_error("no program is given: cordon run [options] -- PROGRAM [ARG...]");
  run_outputs written(o);
  run_request request = request_of(o);
  policy_options policy = o.policy;
  if (policy.files.empty()) // the built-in policy lists no port
    for (const host::published_port& p : request.publish) policy.listen.push_back(std::to_string(p.port));
  policy_of_run found = policy_for_run(policy, o.directory);
  if (!o.quiet && found.project) print_project(*found.project);
  if (!o.quiet) warn_about_stars(found.asked.links.named);
  const bool asks_for_own = found.asks_for_own_sockets;
  add_policy(request, std::move(found));
  written.listen(request);
  const launcher_id asked_backend = request.asked.backend;
  const std::string settings_of = request.settings.root;
  process_run program(std::move(request), [&](const report& now) {
    if (!o.quiet) print_missing(now, asked_backend, asks_for_own);
    if (!o.quiet) print_protection(now, settings_of);
    written.begin(now);
  });
  report r = watch(program, o.quiet);
  if (!r.ended.why.empty()) complain(text_of(r, o.accepted_gaps));
  if (!o.quiet) print_limit(r.ended.how);
  if (!o.quiet) print_refused_tracing(r);
  if (!written.end(r)) return {}; // refused
  return std::move(r.ended);
}

/// The signal that has ended the program also ends this process, once everything is cleaned up: a shell then stops its
/// loop, as it does after the program itself.
int run_command(const run_options& o) {
  const outcome ended = carry_out_run(o);
  if (const int signal = ending_signal(ended); signal != 0) shim::end_by_signal(signal);
  return exit_status(ended);
}

} // namespace

void describe_run(subcommand& c) {
  const auto o = std::make_shared<run_options>();
  c.about("run a program under a policy");
  c.option("--backend", o->backend, "auto, namespaces, landlock, bubblewrap or none");
  c.option("--accept-gap", o->accepted_gaps, "accept an unenforced gap under profile os_hardened");
  c.option("--guard", o->guard, "report or refuse what the guard finds in the arguments");
  c.option("--egress", o->egress, "none, preflight or strict: refuse arguments that name a host which is not allowed");
  c.option("--requested-host", o->requested_hosts,
           "a host that the program will contact, which --egress preflight and strict check");
  c.option("--cwd", o->directory, "the directory to run in");
  c.option("--session", o->session,
           "keep temporary files and caches for the next run of this session (cordon session)");
  c.option("--publish", o->publish,
           "accept connections on [ADDRESS:]PORT[:PORT] of the machine for a server of the run");
  c.option("--stdin", o->stdin_mode,
           "pass, or relay: a pipe goes through cordon, and what cordon has read is not left in it");
  c.option("--report", o->report_file, "write the request, what was in force and the outcome; - is stdout");
  c.option("--record", o->record_file, "write everything that cordon replay needs, output and values included");
  c.option("--key", o->key, "file of a key that attests the report and the record");
  c.flag("--json", o->json, "the same as --report -");
  c.flag("--quiet", o->quiet, "print neither the gaps nor the limit that has ended the program on stderr");
  o->policy.add_to(c);
  c.rest(o->argv, "PROGRAM [ARG...] follow the options, best after --");
  c.action([o] {
    if (o->json) o->report_file = "-";
    return run_command(*o);
  });
}

} // namespace cordon::cli
