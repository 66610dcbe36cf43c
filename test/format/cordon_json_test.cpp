// SPDX-License-Identifier: BSL-1.0
#include "ask.hpp"

#include <cordon/format/cordon_json.hpp>

#include <algorithm>

using namespace cordon;
using namespace cordon::format;

namespace {

const host_facts facts{platform::linux_, "/home/u", "/srv", nullptr};

document document_of(const std::string& content) { return read("p.json", content, facts); }

/// `code line:column` of the error in a document with that member beside the number; "ok" if it is valid.
std::string error_of(const std::string& member) {
  try {
    (void)document_of("{\"cordon\": 1,\n" + member + "}");
  } catch (const bad_document& e) {
    return std::string(name(e.code())) + " " + std::to_string(e.line()) + ":" + std::to_string(e.column());
  }
  return "ok";
}

} // namespace

TEST_CASE("cordon_json: an axis that is left out is any, and not listed as named") {
  const document d = document_of(R"({"cordon": 1})");
  CHECK(d.said == 0);
  CHECK((!d.capabilities && !d.workspace && !d.files && !d.network && !d.sockets && !d.abilities && !d.environment));
  CHECK((!d.profile && !d.level && !d.fallback && !d.syscalls && !d.executables && !d.interpreters && !d.presets));
  CHECK(d.limits == limits());
}

TEST_CASE("cordon_json: the words any and none name their axis") {
  const document any =
      document_of(R"({"cordon": 1, "files": "any", "network": "any", "abilities": "any", "capabilities": "any",
    "sockets": "any", "workspace": "any", "guard": {"executables": "any"}, "environment": {"pass": "any"}})");
  for (const axis a : {axis::files, axis::hosts, axis::abilities, axis::capabilities, axis::sockets, axis::workspace,
                       axis::guard, axis::environment})
    CHECK(any.says(a));
  CHECK((!any.files && !any.workspace && !any.capabilities && !any.executables && !any.environment->pass));
  CHECK((!any.network && !any.sockets && any.abilities->is_any()));
  const document none = document_of(R"({"cordon": 1, "files": "none", "network": "none", "abilities": "none",
    "capabilities": "none", "sockets": "none", "workspace": "none", "guard": {"executables": "none"}})");
  REQUIRE((none.network && none.sockets && none.files && none.workspace && none.capabilities && none.executables &&
           none.abilities));
  CHECK((none.files->empty() && none.workspace->empty() && none.capabilities->empty() && none.executables->empty()));
  CHECK((none.network->allowed.view().empty() && none.sockets->unix_paths.empty() && none.abilities->empty()));
}

TEST_CASE("cordon_json: an empty list is an error where it could be read as no limit") {
  for (const char* member : {R"("files": [])", R"("workspace": [])", R"("capabilities": [])", R"("abilities": [])",
                             R"("guard": {"executables": []})", R"("files": [{"path": "/a", "rights": []}])"})
    CHECK(error_of(member).substr(0, 12) == "empty_list 2");
  for (const char* member :
       {R"("presets": [])", R"("syscalls": {"deny": []})", R"("environment": {"pass": [], "remove": []})"})
    CHECK(error_of(member) == "ok");
}

TEST_CASE("cordon_json: errors have the line and column of the fault") {
  CHECK(error_of(R"("netwrok": 1)") == "unknown_key 2:1");
  CHECK(error_of(R"("profile": "Worktree")") == "bad_value 2:12");
  CHECK(error_of(R"("profile": 3)") == "bad_type 2:12");
  CHECK(error_of(R"("level": null)") == "bad_type 2:10");
  CHECK(error_of(R"("files": "some")") == "bad_value 2:10");
  CHECK(error_of(R"("files": {"/a": "read"})") == "bad_type 2:10");
  CHECK(error_of(R"("files": [ {"path": "/a"}])") == "missing_key 2:12");
  CHECK(error_of(R"("files": [{"rights": "read"}])") == "missing_key 2:11");
  CHECK(error_of(R"("files": [{"path": "", "rights": "read"}])") == "bad_path 2:20");
  CHECK(error_of(R"("files": [{"path": "/a", "rights": "rwx"}])") == "bad_value 2:36");
  CHECK(error_of(R"("files": [{"path": "/a", "rights": ["read", "exec"]}])") == "bad_value 2:45");
  CHECK(error_of(R"("files": [{"path": "/a", "rights": "read", "mode": 7}])") == "unknown_key 2:44");
  CHECK(error_of(
            "\"files\": [{\"path\": \"/a\", \"rights\": \"read\"},\n {\"path\": \"/b/../a\", \"rights\": \"run\"}]") ==
        "duplicate_place 3:2");
  CHECK(error_of(R"("capabilities": ["workspace.all"])") == "bad_value 2:18");
  CHECK(error_of(R"("presets": ["system"])") == "bad_value 2:13");
  CHECK(error_of(R"("presets": "none")") == "bad_type 2:12");
  CHECK(error_of(R"("network": true)") == "bad_type 2:12");
  CHECK(error_of(R"("network": "some")") == "bad_value 2:12");
  CHECK(error_of(R"("abilities": ["fly"])") == "bad_value 2:15");
  CHECK(error_of(R"("syscalls": {"deny": ["Socket"]})") == "bad_value 2:23");
  CHECK(error_of(R"("syscalls": {"mode": "lax"})") == "bad_value 2:22");
  CHECK(error_of(R"("limits": {"memory": "512M"})") == "bad_limit 2:22");
  CHECK(error_of(R"("limits": {"memory": -1})") == "bad_limit 2:22");
  CHECK(error_of(R"("limits": {"memory": 1.5})") != "ok");
  CHECK(error_of(R"("limits": {"timeout": 30})") == "bad_type 2:23");
  CHECK(error_of(R"("limits": {"ram": 1})") == "unknown_key 2:12");
  CHECK(error_of(R"("environment": {"pass": ["A*B"]})") == "bad_value 2:26");
  CHECK(error_of(R"("environment": {"pass": "none"})") == "bad_value 2:25");
  CHECK(error_of(R"("environment": {"set": {"A=": "1"}})") == "bad_value 2:31");
  CHECK(error_of(R"("environment": {"set": {"A": "\u0000"}})") == "bad_value 2:30");
  CHECK(error_of(R"("environment": {"set": {"A*": "1"}})") == "bad_value 2:31");
  CHECK(error_of(R"("guard": {"interpreters": "no"})") == "bad_type 2:27");
  CHECK(error_of(R"("guard": {"executables": [""]})") == "bad_value 2:27");
  CHECK(error_of(R"("fallback": "none")") == "bad_value 2:13");
  CHECK(error_of(R"("cordon": 1)") == "duplicate_key 2:1");
}

TEST_CASE("cordon_json: the version number is required and is 1") {
  const auto code = [](const char* text) {
    try {
      (void)read_cordon_json(json::text("p", text), facts);
    } catch (const bad_document& e) { return e.code(); }
    return diagnostic_code::ok;
  };
  CHECK(code(R"({"files": "none"})") == diagnostic_code::missing_key);
  CHECK(code(R"({"cordon": 2})") == diagnostic_code::bad_value);
  CHECK(code(R"({"cordon": 1.5})") == diagnostic_code::bad_value);
  CHECK(code(R"({"cordon": "1"})") == diagnostic_code::bad_type);
  CHECK(code(R"([])") == diagnostic_code::bad_type);
  CHECK(code(R"({"cordon": 1})") == diagnostic_code::ok);
}

TEST_CASE("cordon_json: each key sets its field") {
  const document d = document_of(R"({"cordon": 1, "profile": "wasi", "level": "read_only", "fallback": "off",
    "capabilities": ["process.exec"], "workspace": [{"path": "w", "rights": ["connect", "read"]}],
    "files": [{"path": "~", "rights": "hide"}], "presets": ["credentials"], "abilities": ["clock", "bpf"],
    "syscalls": {"mode": "strict", "deny": ["memfd_create"]},
    "limits": {"timeout": "1.5s", "cpu": "2m", "memory": "1KiB", "processes": "7", "open_files": 8,
               "file_size": 9, "output": 10},
    "environment": {"pass": ["A*"], "set": {"B": "x=y"}, "remove": ["AB"]},
    "guard": {"executables": ["git", "/bin/sh"], "interpreters": false}})");
  CHECK(d.profile == profile::wasi);
  CHECK(d.level == level::read_only);
  CHECK(d.fallback == fallback::off);
  CHECK(d.capabilities->at(0) == "process.exec");
  CHECK(d.workspace->at(0).place == "/srv/w");
  CHECK(d.workspace->at(0).allowed == (right::read | right::connect));
  CHECK(d.files->at(0).place == "/home/u");
  CHECK(d.files->at(0).allowed == verb::hide);
  CHECK(d.presets == preset::credentials);
  CHECK(*d.abilities == (abilities(ability::clock) | ability::bpf));
  CHECK(d.syscalls == syscalls::strict);
  CHECK(d.denied_calls == std::vector<std::string>{"memfd_create"});
  const std::uint64_t limits[]{1'500'000'000, 120'000'000'000, 1024, 7, 8, 9, 10};
  for (std::size_t i = 0; i < limit_names.size(); ++i) CHECK(d.limits[static_cast<limit>(i)] == limits[i]);
  CHECK(d.environment->pass->at(0) == "A*");
  CHECK(d.environment->set.at("B") == "x=y");
  CHECK(d.environment->remove.at(0) == "AB");
  CHECK(d.executables->at(1) == "/bin/sh");
  CHECK(d.interpreters == false);
  const std::pair<const char*, rights> verbs[]{
      {"read", verb::read}, {"run", verb::run}, {"write", verb::write}, {"hide", {}}};
  for (const auto& [word, set] : verbs)
    CHECK(document_of(R"({"cordon": 1, "files": [{"path": "/a", "rights": ")" + std::string(word) + "\"}]}")
              .files->at(0)
              .allowed == set);
}

TEST_CASE("cordon_json: sockets of the run's own are a word, or one key of several") {
  const auto own = document_of(R"({"cordon": 1, "sockets": "own"})");
  CHECK((own.says(axis::sockets) && own.sockets->own && own.sockets->listen.empty() && !own.sockets->loopback));
  CHECK(document_of(R"({"cordon": 1, "sockets": {"own": true, "loopback": true}})").sockets->own);
  CHECK_FALSE(document_of(R"({"cordon": 1, "sockets": {"own": false, "loopback": true}})").sockets->own);
  CHECK_FALSE(document_of(R"({"cordon": 1, "sockets": {}})").sockets->own);
  CHECK(error_of(R"("sockets": "mine")") == "bad_value 2:12");
  CHECK(error_of(R"("sockets": {"own": 1})") == "bad_type 2:20");
}

TEST_CASE("cordon_json: the table of documents") {
  int asked = 0;
  for (const auto& value : ask::cases("cordon_documents.json", 14)) {
    const auto& c = value.as_object();
    const std::string name = ask::text(c, "name");
    CAPTURE(name);
    const bool several = c.contains("documents");
    const ask::bj::value document = several ? c.at("documents").as_array()[0] : c.at("document");
    const host_facts host = ask::host(c);
    if (const auto* error = c.if_contains("error")) {
      const auto [code, line] = ask::refusal(document, host);
      CHECK(code == ask::text(*error));
      if (const auto* wanted = c.if_contains("line"); wanted != nullptr && !wanted->is_null())
        CHECK(line == wanted->as_int64());
      continue;
    }
    std::vector<loaded_policy> all{ask::load(document, host)};
    if (several) all.push_back(ask::load(c.at("documents").as_array().at(1), host));
    REQUIRE((!several || c.at("documents").as_array().size() == all.size()));
    for (int order = 0; order < 2; ++order, std::reverse(all.begin(), all.end())) {
      const loaded_policy p = all.front() & all.back();
      for (const auto& q : c.at("questions").as_array()) ask::check(p, q.as_object()), ++asked;
    }
  }
  CHECK(asked >= 90);
}
