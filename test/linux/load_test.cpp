// SPDX-License-Identifier: BSL-1.0
/// From a file to a run: a path that a document closes by the name of a link stays closed at the target of the link.
#include <cordon/format/read.hpp>
#include <cordon/run/load.hpp>

#include "running.hpp"

#include <doctest/doctest.h>

namespace linux_load_test {

using namespace cordon;
namespace fs = std::filesystem;

namespace {

/// A project with a secret, which has a second name through a link that the policy does not grant.
struct linked : runs::place {
  linked() {
    file("job/real/secret", "token\n");
    fs::create_directory_symlink(top / "job/real", top / "link");
    file("job/job.policy", "level process_exec\nrun /usr\nrun /lib\nrun /lib64\nrun /bin\nrun /etc\nread real\n"
                           "hide ../link/secret\nnetwork none\npass PATH\n");
  }
  [[nodiscard]] std::string read_by(const run_request& asked) const {
    run_request r = asked;
    r.environment = std::vector<std::string>{"PATH=/usr/bin:/bin"};
    r.directory = at("job/real");
    r.in = input::nothing();
    r.keep = captured_size{captured_size::everything, 0};
    const report told = run(r);
    CHECK(told.ended.how == ending::exited);
    return told.output.text();
  }
};

const std::vector<std::string> read_secret{"/bin/sh", "-c", "cat secret 2>/dev/null || echo refused"};

} // namespace

TEST_SUITE("load") {
  TEST_CASE("load: load_policy hides the target of a named link, lower_lexically does not") {
    const linked s;
    CHECK(s.read_by(request_for(load_policy(s.at("job/job.policy")), read_secret)) == "refused\n");
    run_request lexical;
    const format::host_facts facts = facts_of_host();
    lexical.policy = format::lower_lexically(format::read_file(s.at("job/job.policy"), facts), facts);
    lexical.argv = read_secret;
    CHECK(s.read_by(lexical) == "token\n");
  }

  TEST_CASE("load: relative paths start at the base, and stay hidden in a meet") {
    const linked s;
    format::host_facts facts = facts_of_host();
    facts.base = s.at("job");
    const host_policy hiding = load_policy_text(
        "text", "level process_exec\nrun /\nread real\nhide ../link/secret\nabilities any\npass PATH\n", facts);
    const host_policy all = load_policy_text("text", "level process_exec\nrun /\nabilities any\npass PATH\n", facts);
    for (const host_policy& p : {hiding & all, all & hiding}) {
      CHECK(resolve(p).files().lookup(s.at("job/real/secret")) == 0);
      CHECK(p.links.beneath.at(s.at("job/real")) == s.at("job"));
    }
    CHECK(resolve(all).files().lookup(s.at("job/real/secret")) != 0);
  }

  TEST_CASE("load: a loaded policy lists the axes that its documents name") {
    const host_policy p = load_policy_text("text", "level read_only\n"), q = load_policy_text("text", "pass PATH\n");
    CHECK(p.says(axis::level));
    CHECK_FALSE(p.says(axis::environment));
    CHECK((p & q).says(axis::level));
    CHECK((p & q).says(axis::environment));
    CHECK_FALSE((p & q).says(axis::sockets));
  }

  TEST_CASE("load: a written fallback is distinguished from the default") {
    const host_policy silent = load_policy_text("text", "level read_only\n"),
                      warn = load_policy_text("text", "fallback warn\n"),
                      enforce = load_policy_text("text", "fallback enforce\n");
    CHECK_FALSE(silent.written_fallback);
    for (const host_policy& p : {silent & warn, warn & silent}) {
      CHECK(p.policy.fallback == fallback::enforce);
      CHECK(p.written_fallback == fallback::warn);
    }
    CHECK((warn & enforce).written_fallback == fallback::enforce);
    CHECK((enforce & warn).written_fallback == fallback::enforce);
  }

  TEST_CASE("load: a document with composed::no keeps its links until resolve") {
    const linked s;
    format::document d;
    d.files = {{{"/", verb::run}, {s.at("link/secret"), verb::hide}}};
    d.presets.emplace();
    const host_policy alone = load_policy(d, {}, composed::no);
    CHECK(alone.policy == format::lower_lexically(d, {}));
    CHECK(alone.policy.files().lookup(s.at("job/real/secret")) != 0);
    CHECK(resolve(alone).files().lookup(s.at("job/real/secret")) == 0);
    CHECK(load_policy(d, {}).policy.files().lookup(s.at("job/real/secret")) == 0);
  }

  TEST_CASE("load: a document whose format takes its roots from the project is refused without one") {
    for (const char* text : {R"({"capabilities": {}})", R"({"workspace_roots": []})",
                             R"({"process_sandbox": {"read_roots": ["/usr"], "presets": []}})",
                             R"({"sandbox_profile": "os_hardened", "side_effect_level": "process_exec"})"}) {
      CAPTURE(text);
      CHECK_THROWS_WITH_AS((void)load_policy_text("text", text), doctest::Contains("names no workspace root"), refused);
      format::host_facts facts = facts_of_host();
      facts.project.emplace({std::string("/tmp")});
      CHECK(rights::from_bits(load_policy_text("text", text, facts).policy.files().lookup("/srv/x")).empty());
    }
    CHECK_NOTHROW((void)load_policy_text("text", R"({"read_only_roots": ["/usr"]})"));
  }

  TEST_CASE("load: a file that cannot be read is an error") {
    const runs::place s;
    CHECK_THROWS_AS((void)load_policy(s.at("none")), format::bad_document);
  }
}

} // namespace linux_load_test
