// SPDX-License-Identifier: BSL-1.0
#include "../common/host.hpp"
#include "commit.hpp"
#include "verify.hpp"

namespace cordon::cli {

// Each is defined in the file of its command; only the table below uses it.
void describe_run(subcommand& c);
void describe_check(subcommand& c);
void describe_meet(subcommand& c);
void describe_within(subcommand& c);
void describe_explain(subcommand& c);
void describe_compile(subcommand& c);
void describe_doctor(subcommand& c);
void describe_schema(subcommand& c);
void describe_replay(subcommand& c);
void describe_session(subcommand& c);

} // namespace cordon::cli

int main(int argc, char** argv) {
  using namespace cordon;
  const cli::named_subcommand all[]{
      {"run", cli::describe_run, cli::status_of::program},
      {"check", cli::describe_check},
      {"meet", cli::describe_meet},
      {"within", cli::describe_within},
      {"explain", cli::describe_explain},
      {"compile", cli::describe_compile},
      {"doctor", cli::describe_doctor},
      {"schema", cli::describe_schema},
      {"replay", cli::describe_replay},
      {"session", cli::describe_session},
      {"verify", cli::verify_of([](const loaded_policy& p, landlock::target t) { return landlock::compile(p, t); })},
  };
  return cli::carry_out(all, shim::begin_process(argc, argv), cli::commit);
}
