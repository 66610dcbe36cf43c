// SPDX-License-Identifier: BSL-1.0
#include "../common/host.hpp"
#include "documents.hpp"
#include "subcommand.hpp"

#include <cordon/backend/backends.hpp>
#include <cordon/format/write.hpp>
#include <cordon/gap/gap_text.hpp>

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

template <class Rules> [[nodiscard]] lines gap_lines(const plan<Rules>& made) {
  lines out;
  for (std::uint32_t i = 0; i < made.gaps.size(); ++i) {
    const gap g = made.gaps[i];
    out.push_back(std::string(name(g.kind)) + " " + std::string(g.what) +
                  (g.place.empty() ? "" : ":" + std::string(g.place)) + "  " + std::string(gap_text(g.what)));
  }
  return out;
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
  const auto list = [](const lines& of) {
    lines quoted;
    for (const std::string& l : of) quoted.push_back(format::as_json(l));
    return format::json_array(quoted, ",\n  ");
  };
  lines of_rules;
  for (std::size_t at = 0, end = 0; at < rules.size(); at = end + 1) {
    end = std::min(rules.find('\n', at), rules.size());
    of_rules.push_back(rules.substr(at, end - at));
  }
  std::printf("{\"backend\": %s, \"rules\": %s, \"gaps\": %s}\n", format::as_json(o.backend).c_str(),
              list(of_rules).c_str(), list(gaps).c_str());
}

/// The target by its name, or the first one. Throws: usage_error with the known names for an unknown one.
template <class Backend> [[nodiscard]] typename Backend::target target_of(const compile_options& o) {
  std::string known;
  for (const auto& t : Backend::targets) {
    if (!o.target || *o.target == t.name) return t.target;
    known += " " + std::string(t.name);
  }
  throw usage_error("--target for " + std::string(Backend::name) + " is one of" + known);
}

/// Warns about rules that contain a substitute for an unknown home: the user must not use them unchanged.
void tell_home(const compile_options& o, const loaded_policy& p, const format::host_facts& facts) {
  if (o.where.home || facts.home.empty() || !facts.home.ends_with("/USER")) return;
  for (const auto& places : {p.files(), p.workspace()})
    for (std::uint32_t i = 0; i < places.size(); ++i)
      if (path::covers(facts.home, places.place(i)))
        return complain("the home on " + std::string(platform_names[static_cast<std::size_t>(facts.system)]) +
                        " is not known here: " + facts.home + " stands for it; name it with --home DIR");
}

template <class Backend> void compile_for(const compile_options& o) {
  const format::host_facts facts = o.where.facts(system_of<Backend>);
  std::vector<reported_gap> later;
  const loaded_policy p = policy_file(o.file).load(facts, later);
  const auto made = compile(p, target_of<Backend>(o));
  if (made.error.code != errc::ok) throw usage_error(refusal(made.error));
  std::string text;
  write(made.rules, [&](std::string_view piece) { text += piece; });
  tell_home(o, p, facts);
  lines gaps = gap_lines(made);
  for (const reported_gap& g : later) gaps.push_back(std::string(name(g.kind)) + " " + g.id + "  " + g.why);
  print(o, text, gaps);
}

int compile_file(const compile_options& o) {
  std::string known;
  const bool nobody = backends::each([&]<class Backend>() {
    known += " " + std::string(Backend::name);
    if (o.backend == Backend::name) compile_for<Backend>(o);
    return o.backend != Backend::name;
  });
  if (nobody) throw usage_error("unknown backend " + o.backend + "; known here:" + known);
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
