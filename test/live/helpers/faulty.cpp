// SPDX-License-Identifier: BSL-1.0
// A cordon that knows `verify` alone, over a compiler with a fault: a place gets a right that no grant gives.
#include "cli/verify.hpp"
#include "common/host.hpp"

namespace {

cordon::cli::landlock_plan compile(const cordon::loaded_policy& p, cordon::landlock::target t) {
  using namespace cordon;
  cli::landlock_plan made = landlock::compile(p, t);
  landlock::rules<heap> rules = made.rules;
  rules.grants = heap();
  const auto given = made.rules.view(made.rules.grants);
  step_function_builder<path_tree, heap> grants(rules.grants);
  for (std::uint32_t i = 0; i < given.size(); ++i) grants.add(given[i]);
  grants.add({"/planted", landlock::access_of(verb::read, made.rules.abi), {}});
  made.error = grants.close();
  made.rules = rules;
  return made;
}

} // namespace

int main(int argc, char** argv) {
  const cordon::cli::named_subcommand all[]{{"verify", cordon::cli::verify_of(compile)}};
  return cordon::cli::carry_out(all, cordon::shim::begin_process(argc, argv));
}
