// SPDX-License-Identifier: BSL-1.0
#include "ask.hpp"

using namespace cordon;
using namespace cordon::format;

namespace {

document read_text(const std::string& content) {
  return read("p.json", content, {platform::linux_, "/home/u", "/srv", nullptr});
}

diagnostic_code code_of(const std::string& content) {
  try {
    (void)read_text(content);
  } catch (const bad_document& e) { return e.code(); }
  return diagnostic_code::ok;
}

} // namespace

TEST_CASE("capability_policy: absent, null and the two empty ones are any") {
  for (const char* text : {"{}", R"({"capabilities": null})", R"({"capabilities": {}})", R"({"workspace_roots": null})",
                           R"({"workspace_roots": [], "read_only_roots": []})",
                           R"({"sandbox_profile": null, "side_effect_level": null, "process_sandbox": null})"}) {
    const document d = read_text(text);
    CAPTURE(text);
    CHECK(d.said == 0);
    CHECK(!d.capabilities);
    CHECK(!d.workspace);
    CHECK(!d.files);
    CHECK(!d.profile);
  }
}

TEST_CASE("capability_policy: roots and operations") {
  const document d = read_text(R"({"capabilities": {"workspace": ["list"], "mail": ["send"]},
    "workspace_roots": ["job", "~/x/../y"], "read_only_roots": ["/ref"],
    "process_sandbox": {"presets": ["user_temp"], "read_roots": ["/r"], "write_roots": ["/w"]},
    "sandbox_profile": "wasi", "side_effect_level": "read_only"})");
  CHECK(d.capabilities == std::vector<std::string>{"workspace.list", "mail.send"});
  REQUIRE(d.workspace);
  REQUIRE(d.workspace->size() == 3);
  CHECK((*d.workspace)[0].place == "/home/u/y");
  CHECK((*d.workspace)[0].allowed == verb::run);
  CHECK((*d.workspace)[1].place == "/ref");
  CHECK((*d.workspace)[1].allowed == verb::run);
  CHECK((*d.workspace)[2].place == "/srv/job");
  CHECK(d.files->size() == 5);
  CHECK(d.presets == preset::user_temp);
  CHECK(d.profile == profile::wasi);
  CHECK(d.level == level::read_only);
  CHECK(d.says(axis::files));
  CHECK(!d.says(axis::hosts));
}

TEST_CASE("capability_policy: a path in both lists is granted once, read-only") {
  const document d = read_text(R"({"workspace_roots": ["/srv/job"], "read_only_roots": ["/srv/job"]})");
  for (const auto& grants : {*d.workspace, *d.files}) {
    REQUIRE(grants.size() == 1);
    CHECK(grants[0].allowed == verb::run);
  }
}

TEST_CASE("capability_policy: below a read-only root, a path has only the rights that are granted below it") {
  const document d =
      read_text(R"({"workspace_roots": ["/srv/job", "/srv/job/ref/out"], "read_only_roots": ["/srv/job/ref"],
    "process_sandbox": {"presets": [], "read_roots": ["/srv/job/ref/sdk", "/srv/job/ref/out/sdk"]}})");
  const loaded_policy p = lower_lexically(d, {});
  for (const char* kept : {"/srv/job/ref/a", "/srv/job/ref/sdk/a"}) CHECK(p.files().lookup(kept) == verb::run.bits());
  for (const char* open : {"/srv/job/a", "/srv/job/ref/out/a", "/srv/job/ref/out/sdk/a"})
    CHECK(p.files().lookup(open) == verb::write.bits());
}

TEST_CASE("capability_policy: invalid documents are errors") {
  CHECK(code_of(R"({"workspace_roots": "/a"})") == diagnostic_code::bad_type);
  CHECK(code_of(R"({"workspace_roots": [1]})") == diagnostic_code::bad_type);
  CHECK(code_of(R"({"workspace_roots": ["~v"]})") == diagnostic_code::bad_path);
  CHECK(code_of(R"({"capabilities": {"workspace": "list"}})") == diagnostic_code::bad_type);
  CHECK(code_of(R"({"capabilities": {"workspace": ["rm"]}})") == diagnostic_code::bad_value);
  CHECK(code_of(R"({"process_sandbox": {"read": []}})") == diagnostic_code::unknown_key);
  CHECK(code_of(R"({"sandbox_profile": "Wasi"})") == diagnostic_code::bad_value);
  CHECK(code_of(R"({"workspace_roots": [], "roots": []})") == diagnostic_code::unknown_key);
}

TEST_CASE("capability_policy: the table of documents") {
  int questions = 0;
  for (const auto& value : ask::cases("harn_documents.json", 38)) {
    const auto& c = value.as_object();
    CAPTURE(ask::text(c, "name"));
    const host_facts facts = ask::host(c);
    if (const auto* error = c.if_contains("error")) {
      CHECK(ask::refusal(c.at("document"), facts).first == ask::text(*error));
      continue;
    }
    const loaded_policy p = ask::load(c.at("document"), facts);
    const auto* with = c.if_contains("meet_with");
    const loaded_policy q = with == nullptr ? p : ask::load(*with, facts);
    const loaded_policy there = p & q, back = q & p;
    CHECK(there == back);
    CHECK((there <= p && there <= q));
    for (const auto& question : c.at("questions").as_array()) {
      ask::check(there, question.as_object());
      ask::check(back, question.as_object());
      ++questions;
    }
  }
  CHECK(questions >= 145);
}

TEST_CASE("capability_policy: the network level allows hosts and sockets, a level below it no sockets") {
  const document open = read_text(R"({"side_effect_level": "network"})");
  CHECK((open.says(axis::hosts) && open.says(axis::sockets) && !open.network && !open.sockets));
  for (const char* text : {"{}", R"({"side_effect_level": null})"}) {
    const document d = read_text(text);
    CHECK((!d.says(axis::hosts) && !d.says(axis::sockets)));
  }
  for (const char* text : {R"({"side_effect_level": "process_exec"})", R"({"side_effect_level": "none"})"}) {
    const document d = read_text(text);
    CHECK((!d.says(axis::hosts) && d.says(axis::sockets)));
    REQUIRE(d.sockets);
    CHECK_FALSE(d.sockets->own);
    const loaded_policy p = lower_lexically(d, {platform::linux_, "/home/u", "/srv", nullptr});
    CHECK(p.sockets().empty());
  }
}

TEST_CASE("capability_policy: fields about the caller's own tools are accepted without effect") {
  CHECK(code_of(R"({"workspace_roots": ["/a"], "tools": [], "recursion_limit": null, "tool_arg_constraints": [],
                    "tool_annotations": {}})") == diagnostic_code::ok);
  for (const char* field : {R"("tools": ["read"])", R"("recursion_limit": 3)", R"("tool_arg_constraints": [{}])",
                            R"("tool_annotations": {"a": {}})"}) {
    const std::string text = "{" + std::string(field) + ", \"workspace_roots\": [\"/a\"]}";
    CAPTURE(text);
    CHECK(code_of(text) == diagnostic_code::bad_value);
    host_facts facts{platform::linux_, "/home/u", "/srv", nullptr};
    facts.tools = tool_fields::skip;
    CHECK(read("p.json", text, facts).workspace->front().place == "/a");
  }
  for (const char* field : {R"("tools": "read")", R"("recursion_limit": [])", R"("recursion_limit": -1)"})
    CHECK(code_of("{" + std::string(field) + ", \"workspace_roots\": []}") == diagnostic_code::bad_type);
  CHECK(code_of(R"({"capabilities": {"workspace": ["apply_edit"]}})") == diagnostic_code::ok);
  CHECK(code_of(R"({"capabilities": {"workspace": ["apply_edits"]}})") == diagnostic_code::bad_value);
}

TEST_CASE("capability_policy: a document without roots gets the run's project as its root") {
  const auto lowered = [](const char* text, std::optional<std::vector<std::string>> project) {
    host_facts facts{platform::linux_, "/home/u", "/srv", nullptr};
    facts.project = std::move(project);
    return lower_lexically(read("p.json", text, facts), facts);
  };
  const char* const text = R"({"process_sandbox": {"presets": ["system_runtime"], "read_roots": ["/data"]}})";
  const std::vector<std::string> none;
  const loaded_policy with = lowered(text, std::vector<std::string>{"/work"}), without = lowered(text, none);
  CHECK(process_may(with, right::write, "/work/x").allowed());
  CHECK(host_tool_may(with, right::write, "/work/x").allowed());
  for (const char* place : {"/", "/work/x", "/data/x"}) {
    CAPTURE(place);
    CHECK_FALSE(process_may(without, right::write, place).allowed());
    CHECK_FALSE(host_tool_may(without, right::read, place).allowed());
  }
  CHECK(process_may(without, right::read, "/data/x").allowed());
  CHECK(process_may(without, right::run, "/usr/bin/cc").allowed());
  CHECK_FALSE(process_may(without, right::read, "/work/x").allowed());
  const loaded_policy bare = lowered("{}", none); // presets that are left out mean all of them
  CHECK(process_may(bare, right::run, "/usr/bin/cc").allowed());
  CHECK_FALSE(process_may(bare, right::write, "/work/x").allowed());
  CHECK(lowered(text, std::nullopt).is_any<axis_id::files>());
}
