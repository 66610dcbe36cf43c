// SPDX-License-Identifier: BSL-1.0
#include "policy_options.hpp"

#include "../common/host.hpp"
#include "project_of_run.hpp"
#include "subcommand.hpp"

#include <cordon/format/environment_call.hpp>
#include <cordon/format/globs.hpp>
#include <cordon/format/host_text.hpp>
#include <cordon/format/read.hpp>
#include <cordon/policy/limit_text.hpp>
#include <cordon/run/builtin.hpp>

#include <cstdlib>

namespace cordon::cli {
namespace {

template <class Enum, std::size_t N>
[[nodiscard]] Enum word(const std::string& option, const std::array<std::string_view, N>& words,
                        const std::string& text) {
  Enum value{};
  if (from_name(words, text, value)) return value;
  std::string known;
  for (const std::string_view w : words) known += " " + std::string(w);
  throw usage_error(option + " " + text + ": unknown word; known here:" + known);
}

[[nodiscard]] std::string place(const std::string& option, const std::string& text, const format::host_facts& facts) {
  const path::normal p = path::normalize(written_place(text), facts.base, facts.home);
  if (!p) throw usage_error(option + ": " + std::string(explain(p.why)));
  return std::string(p.view());
}

void set_limits(const policy_options& o, limits& to) {
  const auto set = [&](limit l, const char* option, const std::optional<std::string>& text, limit_text::quantity k) {
    if (!text) return;
    const limit_text::parsed p = limit_text::parse(*text, k);
    if (!p) throw usage_error(std::string(option) + " " + *text + ": " + std::string(explain(p.why)));
    if (p.value < to[l]) to.set(l, p.value);
  };
  set(limit::memory, "--memory", o.memory, limit_text::quantity::size);
  set(limit::cpu, "--cpu", o.cpu, limit_text::quantity::seconds);
  set(limit::processes, "--processes", o.processes, limit_text::quantity::count);
  set(limit::timeout, "--timeout", o.timeout, limit_text::quantity::duration);
  set(limit::output, "--max-output", o.max_output, limit_text::quantity::size);
}

void add_patterns(const char* option, const std::vector<std::string>& from, host_set<heap>& to) {
  for (const std::string& text : from) {
    const host::pattern p = format::parse_host(text);
    if (!p) throw usage_error(std::string(option) + " " + text + ": " + std::string(explain(p.why)));
    to.add(p);
  }
  if (to.close().code != errc::ok) throw usage_error(std::string(option) + ": too many patterns");
}

/// What the options set about hosts; an empty document sets nothing.
[[nodiscard]] format::document network(const policy_options& o) {
  format::document d;
  if (!o.network && o.allowed_domains.empty() && o.denied_domains.empty()) return d;
  if (o.network && *o.network != "none" && *o.network != "any") throw usage_error("--network takes none or any");
  if (o.network && !o.allowed_domains.empty()) throw usage_error("--allowed-domain and --network say different things");
  d.say(axis::hosts);
  d.network.emplace();
  if (o.allowed_domains.empty() && o.network != "none") d.network->allowed.add_any();
  add_patterns("--allowed-domain", o.allowed_domains, d.network->allowed);
  add_patterns("--denied-domain", o.denied_domains, d.network->denied);
  return d;
}

/// Grants of the options override those of the document at the same path. Both override patterns.
void grant(format::document& d, const char* option, const std::string& text, rights r,
           const format::host_facts& facts) {
  if (glob::is_marked(text)) {
    for (const axis_id axis : {axis_id::files, axis_id::workspace}) {
      format::glob_grant& g = d.globs.emplace_back(format::glob_grant{axis, r});
      if (const std::string why = format::read_glob(text, facts, g); !why.empty())
        throw usage_error(std::string(option) + ": " + why);
    }
    return;
  }
  const std::string where = place(option, text, facts);
  for (auto* list : {&*d.files, &*d.workspace}) {
    std::erase_if(*list, [&](const format::grant& g) { return g.place == where; });
    list->push_back({where, r});
  }
}

/// `--env NAME`, `--env PREFIX*` or `--env NAME=VALUE`.
struct named_variable {
  std::string name;
  std::optional<std::string> value{};
};

[[nodiscard]] named_variable variable_of(const std::string& text) {
  const std::size_t eq = text.find('=');
  named_variable v{text.substr(0, eq)};
  if (!variable::is_name(v.name)) throw usage_error("--env " + text + ": NAME, PREFIX* or NAME=VALUE");
  if (eq != text.npos) v.value = text.substr(eq + 1);
  else if (!names::is_place(text)) throw usage_error("--env " + text + ": a star stands last or not at all");
  return v;
}

/// What the options set about variables, over those that pass without options. `replace` keeps only named variables.
void edit_environment(format::environment_text& to, const policy_options& o) {
  using format::environment_mode;
  const auto mode = o.env_mode ? word<environment_mode>("--env-mode", format::environment_mode_names, *o.env_mode)
                               : environment_mode::merge;
  if (mode == environment_mode::replace) {
    to.pass.emplace();
    to.set.clear();
  }
  for (const std::string& e : o.env) {
    named_variable v = variable_of(e);
    if (v.value) to.set[v.name] = std::move(*v.value);
    else if (to.pass) to.pass->push_back(v.name);
  }
  for (const std::string& name : o.env_remove) {
    if (!variable::is_name(name) || !names::is_place(name))
      throw usage_error("--env-remove " + name + ": NAME or PREFIX*");
    to.remove.push_back(name);
  }
}

[[nodiscard]] bool speaks_of_variables(const policy_options& o) {
  return !o.env.empty() || o.env_mode || !o.env_remove.empty();
}

void edit(format::document& d, const policy_options& o, const format::host_facts& facts) {
  for (const auto& [option, list, r] :
       {std::tuple("--read", &o.read, verb::read), std::tuple("--run", &o.run, verb::run),
        std::tuple("--write", &o.write, verb::write), std::tuple("--hide", &o.hide, verb::hide)})
    for (const std::string& p : *list) grant(d, option, p, r, facts);
  if (o.level) d.level = word<level>("--level", level_names, *o.level);
  if (o.syscalls) d.syscalls = word<syscalls>("--syscalls", syscalls_names, *o.syscalls);
  if (const format::document net = network(o); net.says(axis::hosts) && (o.network || !o.allowed_domains.empty())) {
    d.network = net.network;
    if (o.network == "any") d.sockets.reset();
    if (o.network != "none" && !o.level) d.level = level::network;
  }
  if (o.no_presets) d.presets.emplace();
  for (const std::string& p : o.presets) {
    if (!d.presets) d.presets.emplace();
    d.presets->push_back(word<preset>("--preset", preset_names, p));
  }
  edit_environment(*d.environment, o);
  set_limits(o, d.limits);
}

/// The document for options that only narrow a policy. `variables_are_edited`: without those for variables.
[[nodiscard]] format::document narrowing(const policy_options& o, const loaded_policy& policy,
                                         bool variables_are_edited, const format::host_facts& facts) {
  const auto adds = [](bool given, const char* option) {
    if (given)
      throw usage_error(std::string(option) +
                        " would add to the policy file; a policy is only narrowed on the command line");
  };
  adds(!o.read.empty(), "--read");
  adds(!o.run.empty(), "--run");
  adds(!o.write.empty(), "--write");
  adds(!o.presets.empty() || o.no_presets, "--preset");
  format::document d;
  format::open_defaults(d);
  if (!o.hide.empty()) {
    d.presets.emplace();
    d.files.emplace();
    d.files->push_back({"/", verb::everything});
    d.workspace = d.files;
    for (const std::string& p : o.hide) grant(d, "--hide", p, verb::hide, facts);
  }
  if (o.level) d.level = word<level>("--level", level_names, *o.level);
  if (o.syscalls) d.syscalls = word<syscalls>("--syscalls", syscalls_names, *o.syscalls);
  if (const format::document net = network(o); net.says(axis::hosts)) {
    adds(o.network == "any" && (policy.level < level::network || policy.hosts().is_none()), "--network any");
    adds(!o.allowed_domains.empty() &&
             (policy.level < level::network || !(host_axis{net.network->allowed.view(), {}} <= policy.hosts())),
         "--allowed-domain");
    d.network = net.network;
  }
  if (speaks_of_variables(o) && !variables_are_edited) {
    for (const std::string& e : o.env)
      adds(policy.environment().lookup(variable_of(e).name) == variable::absent, "--env");
    edit_environment(d.environment.emplace(), o);
  }
  set_limits(o, d.limits);
  return d;
}

/// Reads a policy file for a run. Throws: bad_document, `refused`.
[[nodiscard]] format::document document_for_run(const std::string& file, format::host_facts facts,
                                                project_of_run& around) {
  facts.base = format::directory_of(file);
  const std::string content = format::content_of(file);
  format::document d = format::read(file, content, facts);
  if (!d.wants_root) return d;
  facts.project = around.places();
  return format::read(file, content, facts);
}

} // namespace

void policy_options::add_to(subcommand& c) {
  c.group("Policy");
  c.option("--policy", files, "a policy file; several narrow each other");
  c.option("--tool-fields", tool_fields,
           "refuse or skip fields of CapabilityPolicy documents about tools, which cordon does not enforce");
  c.option("--profile", profile, "unrestricted, worktree, wasi or os_hardened; only stricter than the policy's");
  c.option("--level", level, "none, read_only, workspace_write, process_exec or network");
  c.option("--workspace", workspace, "the directory that may be written (default: the project around the current one)");
  c.option("--read", read, "also allow reading this path");
  c.option("--write", write, "also allow writing this path");
  c.option("--run", run, "also allow running programs below this path");
  c.option("--hide", hide, "deny everything at and below this path");
  c.option("--network", network, "none or any");
  c.option("--allowed-domain", allowed_domains, "allow this host pattern");
  c.option("--denied-domain", denied_domains, "deny this host pattern");
  c.option("--preset", presets,
           "only these presets: system_runtime developer_toolchains package_manager_config user_temp credentials");
  c.flag("--no-presets", no_presets, "no preset at all");
  c.option("--env", env, "let a variable (or PREFIX*) pass, or set NAME=VALUE");
  c.option("--env-mode", env_mode,
           "merge or patch: --env has priority over the policy; replace: only what --env names");
  c.option("--env-remove", env_remove, "remove a variable (or PREFIX*), even if a policy passes it");
  c.option("--syscalls", syscalls, "inherit or strict");
  c.option("--memory", memory, "limit, such as 512MiB");
  c.option("--cpu", cpu, "limit of processor time, in seconds");
  c.option("--processes", processes, "limit, a number");
  c.option("--timeout", timeout, "limit of wall clock time, such as 30s");
  c.option("--max-output", max_output, "limit of stdout and stderr together, such as 1MiB");
}

selection_input circumstances_of_variables() {
  const auto variable = [](const char* name) {
    const char* const value = std::getenv(name);
    return value == nullptr ? std::nullopt : std::optional<std::string_view>(value);
  };
  selection_input c;
  c.sandbox = variable("CORDON_SANDBOX");
  c.allow = variable("CORDON_ALLOW_NO_SANDBOX");
  return c;
}

policy_of_run policy_for_run(const policy_options& options, const std::optional<std::string>& named_directory) {
  format::host_facts facts = facts_of_host();
  if (options.tool_fields)
    facts.tools = word<format::tool_fields>("--tool-fields", format::tool_fields_names, *options.tool_fields);
  project_of_run around(options.workspace, named_directory, facts);
  std::vector<format::document> documents;
  for (const std::string& f : options.files) documents.push_back(document_for_run(f, facts, around));

  format::document builtin = builtin_worktree({}, facts.system);
  for (const format::document& d : documents) format::leave_out_what_is_said(builtin, d);
  // If the files set both path axes, the run needs no project, nor a directory for one.
  if (builtin.files || builtin.workspace) {
    const format::document opened = builtin_worktree(around.places(), facts.system);
    if (builtin.files) {
      builtin.files = opened.files;
      for (const std::string& open : shim::open_places()) builtin.files->push_back({open, verb::run});
    }
    if (builtin.workspace) builtin.workspace = opened.workspace;
  } else if (options.workspace && !around.choice())
    throw usage_error("--workspace: not with --policy, whose file grants what may be written");
  std::vector<named_place> named;
  if (options.workspace)
    named.push_back({place_of(std::filesystem::absolute(*options.workspace).lexically_normal()), verb::everything});
  // If no file sets an axis, the built-in policy's value is in force, and the options edit it.
  const bool edits_variables = builtin.environment.has_value();
  if (documents.empty()) edit(builtin, options, facts);
  else {
    format::open_defaults(builtin); // the documents' own values apply
    if (edits_variables) edit_environment(*builtin.environment, options);
  }
  host_policy all = load_policy(builtin, facts, documents.empty() ? composed::no : composed::yes);
  all.links.named.files.insert(all.links.named.files.end(), named.begin(), named.end());
  all.links.judged = around.judged();
  if (documents.empty()) return {std::move(all), around.choice(), around.directory()};
  for (std::size_t i = 0; i < documents.size(); ++i) {
    format::host_facts there = facts;
    there.base = format::directory_of(options.files[i]);
    all = all & load_policy(documents[i], there);
  }
  return {all & load_policy(narrowing(options, all.policy, edits_variables, facts), facts), around.choice(),
          around.directory()};
}

} // namespace cordon::cli
