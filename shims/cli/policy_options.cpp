// SPDX-License-Identifier: BSL-1.0
#include "policy_options.hpp"

#include "../common/host.hpp"
#include "../common/links/named_path.hpp"
#include "named_value.hpp"
#include "project_of_run.hpp"
#include "socket_options.hpp"
#include "subcommand.hpp"

#include <cordon/format/environment_mode.hpp>
#include <cordon/format/error.hpp>
#include <cordon/format/globs.hpp>
#include <cordon/format/host_text.hpp>
#include <cordon/format/read.hpp>
#include <cordon/policy/limit_text.hpp>
#include <cordon/run/builtin.hpp>

#include <algorithm>
#include <cstdlib>

namespace cordon::cli {
namespace {

[[nodiscard]] std::string place(const std::string& option, const std::string& text, const format::host_facts& facts) {
  const path::normal p = path::normalize(written_place(text), facts.base, facts.home);
  if (!p) throw usage_error(option + ": " + std::string(explain(p.why)));
  return std::string(p.view());
}

/// The limits that have options, in the order in which the help lists them.
constexpr std::array limits_with_options{limit::memory, limit::cpu, limit::processes, limit::timeout, limit::output};

static_assert(std::all_of(std::begin(limit_table), std::end(limit_table), [](const limit_row& l) {
  return std::count(limits_with_options.begin(), limits_with_options.end(), l.which) == (l.option.name.empty() ? 0 : 1);
}));

void set_limits(const policy_options& o, limits& to) {
  for (const limit l : limits_with_options) {
    const std::optional<std::string>& text = o.limits[static_cast<std::size_t>(l)];
    if (!text) continue;
    const limit_option& option = row_of(l).option;
    const limit_text::parsed p = limit_text::parse(*text, option.quantity);
    if (!p) throw usage_error(std::string(option.name) + " " + *text + ": " + std::string(explain(p.why)));
    if (p.value < to[l]) to.set(l, p.value);
  }
}

void add_patterns(const char* option, const std::vector<std::string>& from, host_set<heap>& to) {
  for (const std::string& text : from) {
    const host::pattern p = format::parse_host(text);
    if (!p) throw usage_error(std::string(option) + " " + text + ": " + std::string(explain(p.why)));
    to.add(p);
  }
  if (to.close().code != diagnostic_code::ok) throw usage_error(std::string(option) + ": too many patterns");
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
  const auto mode = o.env_mode
                        ? named_value<environment_mode>("--env-mode", format::environment_mode_names, *o.env_mode)
                        : environment_mode::merge;
  if (mode == environment_mode::replace) {
    to.pass.emplace();
    to.set.clear();
  }
  for (const std::string& e : o.env) {
    named_variable v = variable_of(e);
    if (v.value) to.set.insert_or_assign(v.name, std::move(*v.value));
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

/// Reads `--abilities`. Throws: usage_error.
[[nodiscard]] abilities abilities_of(const std::string& text) {
  if (text == "any") return abilities::any();
  abilities all;
  if (text == "none") return all;
  for (std::size_t from = 0; from <= text.size();) {
    const std::size_t comma = std::min(text.find(',', from), text.size());
    abilities named;
    if (const std::string word = text.substr(from, comma - from); !from_word(word, named))
      throw usage_error("--abilities " + text + ": " + (word.empty() ? "a name is empty" : word + " is no ability") +
                        "; write none, any, or names with commas between them: " + std::string(debugging_word) + ", " +
                        format::joined(ability_names));
    all = all | named;
    from = comma + 1;
  }
  return all;
}

void edit(format::document& d, const policy_options& o, const format::host_facts& facts) {
  for (const auto& [option, list, r] :
       {std::tuple("--read", &o.read, verb::read), std::tuple("--run", &o.run, verb::run),
        std::tuple("--write", &o.write, verb::write), std::tuple("--hide", &o.hide, verb::hide)})
    for (const std::string& p : *list) grant(d, option, p, r, facts);
  if (o.level) d.level = named_value<level>("--level", level_names, *o.level);
  if (o.abilities) d.abilities = abilities_of(*o.abilities);
  if (o.syscalls) d.syscalls = named_value<syscalls>("--syscalls", syscalls_names, *o.syscalls);
  if (const format::document net = network(o); net.says(axis::hosts) && (o.network || !o.allowed_domains.empty())) {
    d.network = net.network;
    if (o.network == "any") d.sockets.reset();
    if (o.network != "none" && !o.level) d.level = level::network;
  }
  if (names_sockets(o)) {
    d.sockets = sockets_of(o, d.sockets);
    if ((!o.listen.empty() || o.loopback) && !o.level) d.level = level::network;
  }
  if (o.no_presets) d.presets.emplace();
  for (const std::string& p : o.presets)
    d.presets = d.presets.value_or(preset_set()) | named_value<preset>("--preset", preset_names, p);
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
  if (o.level) d.level = named_value<level>("--level", level_names, *o.level);
  if (o.abilities) {
    d.abilities = abilities_of(*o.abilities);
    adds(!(*d.abilities <= policy.abilities), "--abilities");
  }
  if (o.syscalls) d.syscalls = named_value<syscalls>("--syscalls", syscalls_names, *o.syscalls);
  if (const format::document net = network(o); net.says(axis::hosts)) {
    adds(o.network == "any" && (policy.level < level::network || policy.hosts().is_none()), "--network any");
    adds(!o.allowed_domains.empty() &&
             (policy.level < level::network || !(host_axis{net.network->allowed.view(), {}} <= policy.hosts())),
         "--allowed-domain");
    d.network = net.network;
  }
  if (names_sockets(o)) d.sockets = narrowed_sockets(o, policy);
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
  shim::check_named_file(file);
  const std::string content = format::content_of(file);
  format::document d = format::read(file, content, facts);
  if (!d.wants_root) return d;
  facts.project = around.places();
  return format::read(file, content, facts);
}

/// The built-in policy for the axes that no document sets. Throws: usage_error if the documents leave no use for
/// `--workspace`.
[[nodiscard]] format::document builtin_beside(const std::vector<format::document>& documents,
                                              const policy_options& options, project_of_run& around,
                                              const format::host_facts& facts) {
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
  return builtin;
}

/// Without the settings that an option opens by their names, or by a directory inside the project.
[[nodiscard]] project_settings protected_settings(const policy_options& options, project_settings all,
                                                  const format::host_facts& facts) {
  if (options.allow_project_settings) return {};
  std::vector<std::string> opened;
  for (const std::string& written : options.write) {
    std::error_code ec;
    const std::string place = place_of(std::filesystem::weakly_canonical(path_at(facts.base) / written, ec));
    if (!path::covers(place, all.root)) opened.push_back(place);
  }
  const auto is_open = [&](const std::string& setting) {
    return std::any_of(opened.begin(), opened.end(), [&](const std::string& o) { return path::covers(o, setting); });
  };
  std::erase_if(all.places, [&](const project_setting& s) { return is_open(s.place); });
  std::erase_if(all.open, is_open);
  return all;
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
  c.flag("--allow-project-settings", allow_project_settings,
         "let the program change .git/config, .git/hooks, .vscode and the like");
  c.option("--read", read, "also allow reading this path");
  c.option("--write", write, "also allow writing this path");
  c.option("--run", run, "also allow running programs below this path");
  c.option("--hide", hide, "deny everything at and below this path");
  c.option("--network", network, "none or any");
  c.option("--allowed-domain", allowed_domains, "allow this host pattern");
  c.option("--denied-domain", denied_domains, "deny this host pattern");
  c.option("--sockets", sockets, "own (among the processes of the run), none or any");
  c.option("--listen", listen, "listen on this port or range of ports of the machine");
  c.flag("--loopback", loopback, "reach servers on the loopback network of the machine");
  c.option("--preset", presets,
           ("only these presets, or services of yours beside the others: " + format::joined(preset_names)).c_str());
  c.flag("--no-presets", no_presets, "no preset at all");
  c.option("--env", env, "let a variable (or PREFIX*) pass, or set NAME=VALUE");
  c.option("--env-mode", env_mode,
           "merge or patch: --env has priority over the policy; replace: only what --env names");
  c.option("--env-remove", env_remove, "remove a variable (or PREFIX*), even if a policy passes it");
  c.option("--abilities", abilities, "none, any, or names such as spawn,trace; debug for the two");
  c.option("--syscalls", syscalls, "inherit or strict");
  for (const limit l : limits_with_options)
    c.option(row_of(l).option.name.data(), limits[static_cast<std::size_t>(l)], row_of(l).option.help.data());
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
    facts.tools = named_value<format::tool_fields>("--tool-fields", format::tool_fields_names, *options.tool_fields);
  project_of_run around(options.workspace, named_directory, facts);
  std::vector<format::document> documents;
  for (const std::string& f : options.files) documents.push_back(document_for_run(f, facts, around));

  format::document builtin = builtin_beside(documents, options, around, facts);
  // If no file sets an axis, the built-in policy's value is in force, and the options edit it.
  const bool edits_variables = builtin.environment.has_value();
  policy_of_run found;
  if (builtin.files) found.settings = protected_settings(options, around.settings(), facts);
  found.asks_for_own_sockets = asks_for_own_sockets(options, documents);
  if (documents.empty()) edit(builtin, options, facts);
  else {
    format::open_defaults(builtin); // the documents' own values apply
    if (edits_variables) edit_environment(*builtin.environment, options);
  }
  host_policy all = load_policy(builtin, facts, documents.empty() ? composed::no : composed::yes);
  if (options.workspace)
    all.links.named.files.push_back(
        {place_of(std::filesystem::absolute(*options.workspace).lexically_normal()), verb::everything});
  all.links.judged = around.judged();
  for (std::size_t i = 0; i < documents.size(); ++i) {
    format::host_facts there = facts;
    there.base = format::directory_of(options.files[i]);
    if (documents[i].wants_root) there.project = around.places();
    all = all & load_policy(documents[i], there);
  }
  if (!documents.empty()) all = all & load_policy(narrowing(options, all.policy, edits_variables, facts), facts);
  found.asked = std::move(all);
  found.project = around.choice();
  found.directory = around.directory();
  return found;
}

} // namespace cordon::cli
