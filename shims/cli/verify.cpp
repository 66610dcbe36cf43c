// SPDX-License-Identifier: BSL-1.0
#include "verify.hpp"

#include "documents.hpp"

#include <cordon/format/write.hpp>
#include <cordon/verify/landlock.hpp>
#include <cordon/verify/seccomp.hpp>

#include <cstdio>
#include <memory>

namespace cordon::cli {
namespace {

struct verify_options {
  std::string file, backend;
  bool json = false;
};

/// What has been proven about one backend and target.
struct proof {
  std::string backend, target;
  verifying::tally all;
  std::vector<std::string> differences;
};

[[nodiscard]] auto note_in(proof& to) {
  return [&to](const verifying::difference& d) {
    to.differences.push_back(d.question +
                             (d.permitted ? ": permitted against the policy" : ": denied against the policy"));
  };
}

[[nodiscard]] std::vector<proof> prove(const loaded_policy& p, const verify_options& o, landlock_compiler compiler) {
  const auto wanted = [&](std::string_view name) { return o.backend.empty() || o.backend == name; };
  std::vector<proof> proofs;
  for (int abi = 1; wanted(landlock::backend_name) && abi <= landlock::highest_abi; ++abi) {
    proof& one = proofs.emplace_back(proof{std::string(landlock::backend_name), "ABI " + std::to_string(abi), {}, {}});
    one.all = verifying::verify_landlock(p, compiler(p, {abi}), note_in(one));
  }
  for (std::size_t i = 0; wanted(seccomp::backend_name) && i < seccomp::arch_names.size(); ++i) {
    proof& one =
        proofs.emplace_back(proof{std::string(seccomp::backend_name), std::string(seccomp::arch_names[i]), {}, {}});
    const auto made = seccomp::compile(p, {.cpu = static_cast<seccomp::arch>(i)});
    if (made.error.code != errc::ok) throw usage_error(std::string(made.error.subject) + " is no system call");
    one.all = verifying::verify_seccomp(p, made, note_in(one));
  }
  if (proofs.empty()) throw usage_error("unknown backend " + o.backend + "; known here: landlock seccomp");
  return proofs;
}

[[nodiscard]] std::string as_text(const proof& p) {
  std::string out = p.backend + " " + p.target + ": " + std::to_string(p.all.asked) + " questions, " +
                    std::to_string(p.all.agree) + " agree, " + std::to_string(p.all.by_gaps) + " differ by a gap, " +
                    std::to_string(p.all.unexplained) + " unexplained\n";
  for (const std::string& d : p.differences) out += "  " + d + "\n";
  return out;
}

[[nodiscard]] std::string as_json(const proof& p) {
  std::vector<std::string> quoted;
  for (const std::string& d : p.differences) quoted.push_back(format::as_json(d));
  return "{\"backend\": " + format::as_json(p.backend) + ", \"target\": " + format::as_json(p.target) +
         ", \"questions\": " + std::to_string(p.all.asked) + ", \"agree\": " + std::to_string(p.all.agree) +
         ", \"by_gaps\": " + std::to_string(p.all.by_gaps) + ", \"unexplained\": " + format::detail::list(quoted) +
         "}\n";
}

int verify_file(const verify_options& o, landlock_compiler compiler) {
  bool fine = true;
  std::string out;
  for (const proof& p : prove(load(o.file), o, compiler)) {
    fine = fine && p.all.unexplained == 0;
    out += o.json ? as_json(p) : as_text(p);
  }
  std::fputs(out.c_str(), stdout);
  return fine ? 0 : 1;
}

} // namespace

void add_verify(CLI::App& app, action& chosen, landlock_compiler compiler) {
  CLI::App* const command = app.add_subcommand(
      "verify", "prove that the rules of every backend say what the policy says, but for their gaps");
  const auto o = std::make_shared<verify_options>();
  command->add_option("--backend", o->backend, "this one alone: landlock or seccomp");
  command->add_option("FILE", o->file, "policy file")->required();
  command->add_flag("--json", o->json, "one object a line");
  command->callback([o, compiler, &chosen] { chosen = [o, compiler] { return verify_file(*o, compiler); }; });
}

} // namespace cordon::cli
