// SPDX-License-Identifier: BSL-1.0
#include "commands.hpp"
#include "documents.hpp"

#include <cordon/backend/landlock.hpp>
#include <cordon/backend/seccomp.hpp>
#include <cordon/backend/seccomp/disassemble.hpp>
#include <cordon/format/write.hpp>
#include <cordon/gap_text.hpp>

#include <cstdio>
#include <memory>

namespace cordon::cli {
namespace {

struct compile_options {
  std::string backend, file;
  std::optional<std::string> target;
  bool json = false;
};

using lines = std::vector<std::string>;

[[nodiscard]] std::string access_text(std::uint32_t bits) {
  std::string out;
  for (std::size_t i = 0; i < landlock::access_names.size(); ++i)
    if ((bits >> i & 1) != 0) out += (out.empty() ? "" : " ") + std::string(landlock::access_names[i]);
  return out;
}

template <class Rules> [[nodiscard]] lines gap_lines(const plan<Rules>& made) {
  lines out;
  for (std::uint32_t i = 0; i < made.gaps.size(); ++i) {
    const gap g = made.gaps[i];
    out.push_back(std::string(name(g.kind)) + " " + std::string(g.what) +
                  (g.place.empty() ? "" : ":" + std::string(g.place)) + "  " + std::string(gap_text(g.what)));
  }
  return out;
}

[[nodiscard]] lines rule_lines(const landlock::rules<heap>& r) {
  lines out{"abi " + std::to_string(r.abi), "handled " + access_text(landlock::handled(r.abi))};
  const auto add = [&](const char* kind, step<path_tree> v, bool bits) {
    for (std::uint32_t i = 0; i < v.size(); ++i)
      out.push_back(std::string(kind) + " " + std::string(v.place(i)) + (bits ? "  " + access_text(v[i].value) : ""));
  };
  add("grant", r.view(r.grants), true);
  add("siblings", r.view(r.siblings), true);
  add("except", r.view(r.except), false);
  return out;
}

void print(const compile_options& o, const lines& rules, const lines& gaps) {
  if (!o.json) {
    for (const std::string& l : rules) std::printf("%s\n", l.c_str());
    for (const std::string& l : gaps) std::printf("gap %s\n", l.c_str());
    return;
  }
  const auto list = [](const lines& of) {
    lines quoted;
    for (const std::string& l : of) quoted.push_back(format::as_json(l));
    return format::detail::list(quoted, ",\n  ");
  };
  std::printf("{\"backend\": %s, \"rules\": %s, \"gaps\": %s}\n", format::as_json(o.backend).c_str(),
              list(rules).c_str(), list(gaps).c_str());
}

int compile_file(const compile_options& o) {
  const loaded_policy p = load(o.file);
  if (o.backend == landlock::backend_name) {
    landlock::target t;
    if (o.target) {
      std::size_t used = 0;
      try {
        t.abi = std::stoi(*o.target, &used);
      } catch (const std::exception&) {}
      if (used != o.target->size())
        throw usage_error("--target for landlock is the ABI that the kernel reports, such as 7");
    }
    const auto made = landlock::compile(p, t);
    if (made.error.code == errc::target_refused)
      throw usage_error("a kernel of ABI 0 has no Landlock, and the policy accepts no run without it (profile " +
                        std::string(name(p.profile)) + ", fallback " + std::string(name(p.fallback)) + ")");
    return print(o, rule_lines(made.rules), gap_lines(made)), 0;
  }
  if (o.backend == seccomp::backend_name) {
    seccomp::target t;
    if (o.target && !from_name(seccomp::arch_names, *o.target, t.cpu))
      throw usage_error("--target for seccomp is x86_64, aarch64 or riscv64");
    const auto made = seccomp::compile(p, t);
    if (made.error.code != errc::ok) throw usage_error(std::string(made.error.subject) + " is no system call");
    lines text;
    seccomp::disassemble(t.cpu, made.rules.filter.code(), [&](std::string_view line) { text.emplace_back(line); });
    return print(o, text, gap_lines(made)), 0;
  }
  throw usage_error("unknown backend " + o.backend + "; known here: landlock seccomp");
}

} // namespace

void add_compile(CLI::App& app, action& chosen) {
  CLI::App* const command =
      app.add_subcommand("compile", "print the rules that a policy becomes, and what they cannot say");
  const auto o = std::make_shared<compile_options>();
  command->add_option("--backend", o->backend, "landlock or seccomp")->required();
  command->add_option("--target", o->target, "landlock: the kernel's ABI; seccomp: x86_64, aarch64 or riscv64");
  command->add_option("FILE", o->file, "policy file")->required();
  command->add_flag("--json", o->json, "for programs");
  command->callback([o, &chosen] { chosen = [o] { return compile_file(*o); }; });
}

} // namespace cordon::cli
