// SPDX-License-Identifier: BSL-1.0
#include "../common/host.hpp"
#include "../common/rules_text.hpp"
#include "documents.hpp"
#include "subcommand.hpp"

#include <cordon/format/json_string.hpp>

#include <algorithm>
#include <cstdio>
#include <memory>

namespace cordon::cli {
namespace {

struct compile_options {
  std::string backend, file;
  std::optional<std::string> target;
  system_options where;
  bool json = false;
};

using lines = std::vector<std::string>;

/// The lines of a text without their ends.
[[nodiscard]] lines lines_of(const std::string& text) {
  lines all;
  for (std::size_t at = 0, end = 0; at < text.size(); at = end + 1) {
    end = std::min(text.find('\n', at), text.size());
    all.push_back(text.substr(at, end - at));
  }
  return all;
}

void write_lines(format::json_string_writer& to, std::string_view key, const lines& all) {
  to.list(key, json_layout::hanging, [&] {
    for (const std::string& l : all) to.text(l);
  });
}

[[nodiscard]] std::string as_json(const std::string& backend, const lines& rules, const lines& gaps) {
  return format::json_of([&](format::json_string_writer& to) {
    to.object(json_layout::one_line, [&] {
      to.member("backend", backend);
      write_lines(to, "rules", rules);
      write_lines(to, "gaps", gaps);
    });
    to.end_line();
  });
}

/// Prints rules. They are printable text, except a macOS profile, for which macOS reads no known escape. A file or a
/// pipe gets the bytes unchanged, a terminal gets escapes.
void print(const compile_options& o, const std::string& rules, const lines& gaps) {
  if (o.json && !utf8::is_text(rules))
    throw usage_error("the rules are not UTF-8, which JSON cannot hold; leave --json out");
  if (!o.json) {
    const std::string text = shim::writes_to_terminal() ? printable_lines(rules) : rules;
    std::fwrite(text.data(), 1, text.size(), stdout);
    for (const std::string& l : gaps) std::printf("gap %s\n", format::printable(l).c_str());
    return;
  }
  std::fputs(as_json(o.backend, lines_of(rules), gaps).c_str(), stdout);
}

/// Warns about rules that contain a substitute for an unknown home: the user must not use them unchanged.
void print_home(const compile_options& o, const loaded_policy& p, const format::host_facts& facts) {
  if (o.where.home || facts.home.empty() || !facts.home.ends_with("/USER")) return;
  for (const auto& places : {p.files(), p.workspace()})
    for (std::uint32_t i = 0; i < places.size(); ++i)
      if (path::covers(facts.home, places.place(i)))
        return complain("the home on " + std::string(platform_names[static_cast<std::size_t>(facts.system)]) +
                        " is not known here: " + facts.home + " is used instead; name it with --home DIR");
}

int compile_file(const compile_options& o) {
  const format::host_facts facts = o.where.facts(shim::system_of_backend(o.backend));
  std::vector<reported_gap> later;
  const loaded_policy p = shim::policy_source(o.file).load(facts, later);
  const shim::rules_text made = shim::compile_to_text(p, o.backend, o.target);
  print_home(o, p, facts);
  lines gaps;
  for (const reported_gap& g : made.gaps) gaps.push_back(shim::line_of(g));
  for (const reported_gap& g : later) gaps.push_back(shim::line_of(g));
  print(o, made.rules, gaps);
  return 0;
}

} // namespace

void describe_compile(subcommand& c) {
  const auto o = std::make_shared<compile_options>();
  c.about("print the rules that a backend compiles a policy to, and their gaps");
  c.option("--backend", o->backend, "the backend, such as landlock, seatbelt or bubblewrap", true);
  c.option("--target", o->target,
           "landlock: the kernel's ABI; seccomp: the machine; for others see the error of a wrong one");
  o->where.add_to(c);
  c.option("FILE", o->file, "policy file", true);
  c.flag("--json", o->json, "for programs");
  c.action([o] { return compile_file(*o); });
}

} // namespace cordon::cli
