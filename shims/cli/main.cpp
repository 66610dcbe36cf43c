// SPDX-License-Identifier: BSL-1.0
#include "../common/host.hpp"
#include "verify.hpp"

int main(int argc, char** argv) {
  using namespace cordon;
  const cli::named_subcommand all[]{
      {"run", cli::describe_run},
      {"check", cli::describe_check},
      {"meet", cli::describe_meet},
      {"within", cli::describe_within},
      {"explain", cli::describe_explain},
      {"compile", cli::describe_compile},
      {"doctor", cli::describe_doctor},
      {"schema", cli::describe_schema},
      {"replay", cli::describe_replay},
      {"verify", cli::verify_of([](const loaded_policy& p, landlock::target t) { return landlock::compile(p, t); })},
  };
  return cli::carry_out(all, shim::begin_process(argc, argv));
}
