// SPDX-License-Identifier: BSL-1.0
#include "verify.hpp"

#include "documents.hpp"

#include <cordon/backends.hpp>
#include <cordon/format/write.hpp>
#include <cordon/verify/plan.hpp>
#include <cordon/verify/seccomp.hpp>

#include <cstdio>
#include <memory>
#include <type_traits>

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
  std::string refused; ///< why there are no rules; else empty
};

[[nodiscard]] auto note_in(proof& to) {
  return [&to](const verifying::difference& d) {
    to.differences.push_back(d.question +
                             (d.permitted ? ": permitted against the policy" : ": denied against the policy"));
  };
}

/// The plan of one backend; Landlock's by a compiler of the caller's choice.
template <class Backend>
[[nodiscard]] auto plan_of(const loaded_policy& p, const typename Backend::target& t, landlock_compiler compiler) {
  if constexpr (std::is_same_v<Backend, landlock::backend>) return compiler(p, t);
  else return compile(p, t);
}

template <class Backend, class Rules>
[[nodiscard]] verifying::tally verify_plan(const loaded_policy& p, const plan<Rules>& made, proof& to) {
  if constexpr (std::is_same_v<Backend, seccomp::backend>) return verifying::verify_seccomp(p, made, note_in(to));
  else return verifying::verify<Backend>(p, made, note_in(to));
}

[[nodiscard]] std::vector<proof> prove(const loaded_policy& p, const verify_options& o, landlock_compiler compiler) {
  std::vector<proof> proofs;
  std::string known;
  backends::each([&]<class Backend>() {
    known += " " + std::string(Backend::name);
    if (!o.backend.empty() && o.backend != Backend::name) return true;
    for (const auto& t : Backend::targets) {
      proof& one = proofs.emplace_back(proof{std::string(Backend::name), std::string(t.name), {}, {}, {}});
      const auto made = plan_of<Backend>(p, t.target, compiler);
      if (made.error.code == errc::ok) one.all = verify_plan<Backend>(p, made, one);
      else one.refused = refusal(made.error);
    }
    return true;
  });
  if (proofs.empty()) throw usage_error("unknown backend " + o.backend + "; known here:" + known);
  return proofs;
}

[[nodiscard]] std::string as_text(const proof& p) {
  if (!p.refused.empty()) return p.backend + " " + p.target + ": no rules: " + p.refused + "\n";
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
         (p.refused.empty() ? std::string() : ", \"refused\": " + format::as_json(p.refused)) +
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
  command->add_option("--backend", o->backend, "this one alone");
  command->add_option("FILE", o->file, "policy file")->required();
  command->add_flag("--json", o->json, "one object a line");
  command->callback([o, compiler, &chosen] { chosen = [o, compiler] { return verify_file(*o, compiler); }; });
}

} // namespace cordon::cli
