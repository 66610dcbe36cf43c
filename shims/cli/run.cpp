// SPDX-License-Identifier: BSL-1.0
#include "commands.hpp"
#include "policy_options.hpp"
#include "report_file.hpp"

#include <cordon/run/report.hpp>
#include <cordon/run/run.hpp>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <memory>

extern char** environ;

namespace cordon::cli {
namespace {

struct run_options {
  policy_options policy;
  std::string backend = "auto";
  std::vector<std::string> accepted_gaps;
  std::optional<std::string> directory, report_file;
  bool json = false, quiet = false;
};

[[nodiscard]] std::optional<std::string_view> variable(const char* name) {
  const char* const value = std::getenv(name);
  return value == nullptr ? std::nullopt : std::optional<std::string_view>(value);
}

/// What is not in force, in one line; the report has it all.
void tell_gaps(const report& r) {
  if (r.selected == selection::unconfined_reported) {
    std::fprintf(stderr, "cordon: not confined: %s\n", r.reason.c_str());
    return;
  }
  std::string ids;
  for (const stated_gap& g : r.gaps)
    if (g.kind == gap_kind::unenforced) ids += " " + g.id;
  if (!ids.empty()) std::fprintf(stderr, "cordon: not enforced here:%s\n", ids.c_str());
}

/// What goes wrong with the report once the program has run is told, and changes nothing about how it ended.
void write_at_end(const run_options& o, const std::optional<report_file>& file, const report& r) {
  if (!o.report_file) return;
  const std::string text = to_json(r);
  if (!file) return void(std::fputs(text.c_str(), stdout));
  try {
    file->write(text);
  } catch (const refused& e) { std::fprintf(stderr, "cordon: %s\n", e.what()); }
}

int run_command(const run_options& o, const std::vector<std::string>& argv) {
  if (argv.empty()) throw usage_error("no program is given: cordon run [options] -- PROGRAM [ARG...]");
  std::optional<report_file> file;
  if (o.report_file && *o.report_file != "-") file.emplace(*o.report_file);
  run_request request;
  request.argv = argv;
  request.directory = o.directory;
  request.accepted_gaps = o.accepted_gaps;
  for (char** e = environ; *e != nullptr; ++e) request.environment.emplace_back(*e);
  if (!from_name(backend_names, o.backend, request.asked.backend)) throw usage_error("unknown backend " + o.backend);
  request.asked.sandbox = variable("CORDON_SANDBOX");
  request.asked.allow = variable("CORDON_ALLOW_NO_SANDBOX");
  if (o.policy.profile) {
    profile asked{};
    if (!from_name(profile_names, *o.policy.profile, asked)) throw usage_error("unknown profile " + *o.policy.profile);
    request.asked.asked_profile = asked;
  }
  request.links = links_of_host(facts_of_host().home);
  request.policy =
      policy_for_run(o.policy, o.directory.value_or(std::filesystem::current_path().string()), request.links.beneath);
  const report r = run(std::move(request), [&](const report& now) {
    if (!o.quiet) tell_gaps(now);
    if (file) file->write(to_json(now)); // what cannot be written is known before anything has happened
  });
  if (!r.ended.why.empty()) std::fprintf(stderr, "cordon: %s\n", r.ended.why.c_str());
  write_at_end(o, file, r);
  return exit_status(r.ended.how, r.ended.number);
}

} // namespace

void add_run(CLI::App& app, action& chosen, const std::vector<std::string>* after_dashes) {
  CLI::App* const command = app.add_subcommand("run", "run a program under a policy");
  const auto o = std::make_shared<run_options>();
  o->policy.add_to(*command);
  command->add_option("--backend", o->backend, "auto, namespaces, landlock, bubblewrap or none")->capture_default_str();
  command->add_option("--accept-gap", o->accepted_gaps, "an unenforced gap that os_hardened may leave")
      ->expected(1)
      ->take_all();
  command->add_option("--cwd", o->directory, "the directory to run in");
  command->add_option("--report", o->report_file, "write what was asked, in force and observed; - is stdout");
  command->add_flag("--json", o->json, "the same as --report -");
  command->add_flag("--quiet", o->quiet, "do not say on stderr what is not enforced");
  command->prefix_command();
  command->footer("PROGRAM [ARG...] follow the options, best after --");
  command->callback([command, o, after_dashes, &chosen] {
    chosen = [command, o, after_dashes] {
      if (o->json) o->report_file = "-";
      std::vector<std::string> argv = command->remaining();
      if (!argv.empty() && argv.front().starts_with("-")) throw usage_error("unknown option " + argv.front());
      if (argv.empty() && after_dashes != nullptr) argv = *after_dashes;
      else if (after_dashes != nullptr)
        argv.push_back("--"), argv.insert(argv.end(), after_dashes->begin(), after_dashes->end());
      return run_command(*o, argv);
    };
  });
}

} // namespace cordon::cli
