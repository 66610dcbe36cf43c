// SPDX-License-Identifier: BSL-1.0
#include "../common/host.hpp"
#include "../common/report_file.hpp"
#include "key.hpp"
#include "policy_options.hpp"
#include "progress_line.hpp"
#include "subcommand.hpp"

#include <cordon/format/place.hpp>
#include <cordon/format/write.hpp>
#include <cordon/run/digest.hpp>
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
  std::vector<std::string> accepted_gaps, requested_hosts;
  std::string stdin_mode = "pass";
  std::optional<std::string> directory, report_file, record_file, key;
  bool json = false, quiet = false;
  std::vector<std::string> argv;
};

/// Prints in one line what is not in force; the report has the details. `--backend none` is the caller's own choice, so
/// one line a minute suffices.
void tell_gaps(const report& r, launcher_id asked) {
  if (r.selected == selection::unconfined_reported) {
    if (asked != launcher_id::none || shim::is_first_within("unconfined", 60)) complain("not confined: " + r.reason);
    return;
  }
  std::string ids;
  for (const reported_gap& g : r.gaps)
    if (g.kind == gap_kind::unenforced) ids += " " + g.id;
  if (!ids.empty()) complain("not enforced here:" + ids);
  if (!r.policy || !allows(*r.policy, process_feature::listen) || r.policy->is_any<axis_id::sockets>()) return;
  for (const reported_gap& g : r.gaps)
    if (g.id == "seccomp.listen" || g.id == "namespaces.private_network")
      complain("the ports of the policy: " + g.why + " (" + g.id + ")");
}

/// Warns about a run without a project: the user probably expects one.
void tell_project(const project_choice& p) {
  if (p.root.empty())
    complain("no workspace can be written: " + p.why + "; change into a project, or name a directory with --workspace");
}

/// Warns about a path with a star that does not exist: the user probably meant a pattern.
void tell_stars(const named_places& named) {
  std::set<std::string> told;
  for (const auto* places : {&named.files, &named.workspace})
    for (const named_place& n : *places) {
      std::error_code ec;
      const auto there = std::filesystem::symlink_status(path_at(n.place), ec);
      if (n.place.find_first_of("*?[") == n.place.npos || exists(there) || !told.insert(n.place).second) continue;
      complain(n.place + " does not exist, and a path means what it says: for all that matches write glob:" + n.place);
    }
}

/// Names the limit that ended a program, since the program itself cannot.
void tell_limit(ending how) {
  const auto tell = [](limit which) { complain("ended by the limit " + std::string(name(which))); };
  switch (how) {
  case ending::timed_out: return tell(limit::timeout);
  case ending::output_quota: return tell(limit::output);
  case ending::memory_limit: return tell(limit::memory);
  case ending::cpu_limit: return tell(limit::cpu);
  default: return;
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
    if (record_ && now.policy && !format::can_be_json(*now.policy))
      throw refused("--record: a path or a variable of the policy is not UTF-8, which a record cannot hold");
    if (report_) report_->write(attested(to_json(now)));
    if (record_) record_->check(); // an earlier record remains until the new one is complete
  }
  /// Reports errors after the run without changing its outcome. Returns: false if a directory was replaced meanwhile:
  /// the file at the report's name is then not cordon's.
  [[nodiscard]] bool end(const report& r) {
    try {
      if (to_stdout_) std::fputs(attested(to_json(r)).c_str(), stdout);
      if (report_) report_->write(attested(to_json(r)));
      if (record_ && r.ended.how != ending::refused) record_->write(attested(to_json(std::move(*recorder_).finish(r))));
    } catch (const refused& e) { complain(e.what()); }
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

int run_command(const run_options& o) {
  if (o.argv.empty()) throw usage_error("no program is given: cordon run [options] -- PROGRAM [ARG...]");
  run_outputs written(o);
  run_request request;
  request.argv = o.argv;
  request.owns_process = true;
  request.accepted_gaps = o.accepted_gaps;
  request.trusted_files = o.policy.files;
  for (const auto& file : {o.report_file, o.record_file, o.key})
    if (file && *file != "-") request.trusted_files.push_back(*file);
  request.requested_hosts = o.requested_hosts;
  request.asked = circumstances_of_variables();
  if (!from_name(launcher_names, o.backend, request.asked.backend)) throw usage_error("unknown backend " + o.backend);
  if (!from_name(guard_mode_names, o.guard, request.guard)) throw usage_error("unknown guard mode " + o.guard);
  if (!from_name(egress_mode_names, o.egress, request.egress)) throw usage_error("unknown egress mode " + o.egress);
  if (o.stdin_mode != "pass" && o.stdin_mode != "relay") throw usage_error("--stdin takes pass or relay");
  request.in.relayed = o.stdin_mode == "relay";
  if (o.policy.profile) {
    profile asked{};
    if (!from_name(profile_names, *o.policy.profile, asked)) throw usage_error("unknown profile " + *o.policy.profile);
    request.asked.asked_profile = asked;
  }
  auto [asked, project, directory] = policy_for_run(o.policy, o.directory);
  request.directory = std::move(directory);
  if (!o.quiet && project) tell_project(*project);
  if (!o.quiet) tell_stars(asked.links.named);
  request.project = std::move(project);
  request.policy = std::move(asked.policy);
  request.links = std::move(asked.links);
  request.globs = std::move(asked.globs);
  request.asked.written_fallback = asked.written_fallback;
  written.listen(request);
  const launcher_id asked_backend = request.asked.backend;
  process_run program(std::move(request), [&](const report& now) {
    if (!o.quiet) tell_gaps(now, asked_backend);
    written.begin(now);
  });
  const report r = watch(program, o.quiet);
  if (!r.ended.why.empty()) complain(r.ended.why);
  if (!o.quiet) tell_limit(r.ended.how);
  if (!written.end(r)) return 125;
  return exit_status(r.ended);
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
