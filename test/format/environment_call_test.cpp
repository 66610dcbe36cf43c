// SPDX-License-Identifier: BSL-1.0
#include "ask.hpp"

#include <cordon/format/environment_call.hpp>

using namespace cordon;
using namespace cordon::format;

namespace {

/// The axis of a call, met with that of a policy.
loaded_policy call_met(const char* call, std::vector<std::string> passes) {
  document own, of_call;
  own.environment.emplace();
  own.environment->pass = std::move(passes);
  of_call.environment = read_environment_call(json::text("call.json", call));
  return lower_lexically(own, {}) & lower_lexically(of_call, {});
}

std::string state_of(const loaded_policy& p, std::string_view name) {
  const auto value = p.environment().lookup(name);
  return value == variable::passes ? "passes" : variable::is_set(value) ? "set" : "absent";
}

} // namespace

TEST_CASE("environment_call: merge and patch keep passed variables, replace drops them") {
  for (const char* call : {R"({"env": {"A": "1"}})", R"({"env": {"A": "1"}, "env_mode": "merge"})",
                           R"({"env": {"A": "1"}, "env_mode": "patch"})"}) {
    CHECK(state_of(call_met(call, {"A", "B"}), "A") == "set");
    CHECK(state_of(call_met(call, {"A", "B"}), "B") == "passes");
  }
  const loaded_policy replaced = call_met(R"({"env": {"A": "1"}, "env_mode": "replace"})", {"A", "B"});
  CHECK(state_of(replaced, "A") == "set");
  CHECK(state_of(replaced, "B") == "absent");
  CHECK(state_of(call_met(R"({"env_remove": ["B*"]})", {"A", "B"}), "B") == "absent");
}

TEST_CASE("environment_call: a call gets no variable that the policy does not pass") {
  CHECK(state_of(call_met(R"({"env": {"SECRET": "x"}})", {"A"}), "SECRET") == "absent");
  CHECK(state_of(call_met("{}", {"A"}), "SECRET") == "absent");
  CHECK(state_of(call_met("{}", {"A"}), "A") == "passes");
}

TEST_CASE("environment_call: not_passed lists variables that a call sets and the policy removes") {
  document own;
  own.environment.emplace();
  own.environment->pass = std::vector<std::string>{"A", "LC_*"};
  const environment_text call = read_environment_call(
      json::text("call.json", R"({"env": {"A": "1", "LC_ALL": "C", "SECRET": "x", "B": "2"}, "env_mode": "replace"})"));
  CHECK(not_passed(call, lower_lexically(own, {})) == std::vector<std::string>{"B", "SECRET"});
  own.environment->pass.reset();
  CHECK(not_passed(call, lower_lexically(own, {})).empty());
}

TEST_CASE("environment_call: an invalid call is an error") {
  for (const char* call : {R"({"env_mode": "append"})", R"({"env": {"A=": "1"}})", R"({"env": ["A"]})",
                           R"({"mode": "merge"})", R"({"env_remove": ["A*B"]})"})
    CHECK_THROWS_AS((void)read_environment_call(json::text("call.json", call)), bad_document);
}
