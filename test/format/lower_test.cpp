// SPDX-License-Identifier: BSL-1.0
#include "ask.hpp"

#include <cordon/widen.hpp>

using namespace cordon;
using namespace cordon::format;

namespace {

const host_facts linux_host{platform::linux_, "/home/u", "/srv", nullptr};

/// The policy of a document that grants /srv and has these presets, on a host.
loaded_policy with_presets(std::optional<std::vector<preset>> presets, const host_facts& facts = linux_host,
                           any_or<std::string> capabilities = std::nullopt) {
  document d;
  d.files.emplace({grant{"/srv", verb::write}});
  d.presets = std::move(presets);
  d.capabilities = std::move(capabilities);
  return lower_lexically(d, facts);
}

rights at(const loaded_policy& p, std::string_view place) { return rights::from_bits(p.files().value(place)); }

} // namespace

TEST_CASE("lower: left out is any, but for the axes that have a default") {
  const loaded_policy p = lower_lexically(document{}, linux_host);
  loaded_policy wanted = unconfined<loaded_policy>(widening::all_axes{});
  wanted.profile = profile::worktree;
  wanted.fallback = fallback::enforce;
  wanted.abilities = ability::spawn;
  CHECK(p == wanted);
}

TEST_CASE("lower: none is nothing, and presets add nothing to it or to any") {
  document d;
  d.files.emplace();
  d.workspace.emplace();
  CHECK(lower_lexically(d, linux_host).files().empty());
  CHECK(lower_lexically(d, linux_host).workspace().empty());
  d.files.reset();
  CHECK(lower_lexically(d, linux_host).is_any<part::files>());
}

TEST_CASE("lower: left-out presets are the four and the credentials") {
  const loaded_policy p = with_presets(std::nullopt);
  CHECK(at(p, "/usr/bin/cc") == verb::run);
  CHECK(at(p, "/home/u/.cargo/bin/cargo") == verb::run);
  CHECK(at(p, "/home/u/.cargo/registry/x") == verb::read);
  CHECK(at(p, "/home/u/.config/x") == verb::read);
  CHECK(at(p, run_temp) == verb::write);
  CHECK(at(p, "/home/u/.ssh/id") == verb::hide);
  CHECK(at(p, "/home/u/.config/gh/hosts.yml") == verb::hide);
  CHECK(at(p, "/etc/shadow") == verb::hide);
  CHECK(at(p, "/etc/hosts") == verb::run);
  CHECK(at(p, "/home/u/Documents") == verb::hide);
  CHECK(p.is_any<part::workspace>());
  CHECK(at(with_presets(std::vector<preset>{}), "/usr") == verb::hide);
}

TEST_CASE("lower: credentials stand above other presets, and client settings of ssh are open again") {
  const loaded_policy p = with_presets(std::nullopt);
  CHECK(at(p, "/home/u/.netrc") == verb::hide);
  CHECK(at(p, "/etc/ssh/ssh_host_ed25519_key") == verb::hide);
  CHECK(at(p, "/etc/ssh/ssh_config") == verb::run);
  CHECK(at(p, "/etc/ssh/ssh_config.d/x.conf") == verb::run);
  CHECK(at(p, "/etc/ssh/ssh_known_hosts") == verb::run);
  // Nobody granted /etc, so nothing in it comes back.
  CHECK(at(with_presets(std::vector{preset::credentials}), "/etc/ssh/ssh_config") == verb::hide);
}

TEST_CASE("lower: a grant of the document for the very place stands above a preset") {
  document d;
  d.files.emplace({grant{"/usr", verb::write}, grant{"/home/u/.ssh", verb::read}, grant{"/home/u", verb::write}});
  const loaded_policy p = lower_lexically(d, linux_host);
  CHECK(at(p, "/usr/x") == verb::write);
  CHECK(at(p, "/home/u/.ssh/id") == verb::read);
  CHECK(at(p, "/home/u/.cargo/x") == verb::run);
  CHECK(at(p, "/home/u/.aws/x") == verb::hide);
  CHECK(at(p, "/home/u/x") == verb::write);
}

TEST_CASE("lower: temporary files only where the workspace may be written") {
  CHECK(at(with_presets(std::nullopt, linux_host, std::vector<std::string>{"workspace.list"}), run_temp) == verb::hide);
  CHECK(at(with_presets(std::nullopt, linux_host, std::vector<std::string>{"workspace.delete"}), run_temp) ==
        verb::write);
  CHECK(at(with_presets(std::nullopt, linux_host, std::vector<std::string>{"workspace.write_text"}), run_temp) ==
        verb::write);
}

TEST_CASE("lower: presets follow the system") {
  host_facts facts = linux_host;
  facts.system = platform::macos;
  CHECK(at(with_presets(std::nullopt, facts), "/opt/homebrew/bin/git") == verb::run);
  CHECK(at(with_presets(std::nullopt, facts), "/private/tmp/x") == verb::write);
  CHECK(at(with_presets(std::nullopt, facts), run_temp) == verb::hide);
  facts.system = platform::openbsd;
  CHECK(at(with_presets(std::nullopt, facts), "/lib64") == verb::hide);
  CHECK(at(with_presets(std::nullopt, facts), "/lib") == verb::run);
  facts.system = platform::windows;
  CHECK(at(with_presets(std::nullopt, facts), "/home/u/.cargo/x") == verb::hide);
  CHECK(at(with_presets(std::nullopt, facts), "/etc/shadow") == verb::hide);
  const std::vector asked{preset::developer_toolchains, preset::package_manager_config};
  CHECK(at(with_presets(asked, facts), "/home/u/scoop/x") == verb::run);
  CHECK(at(with_presets(asked, facts), "/home/u/.npmrc") == verb::read);
}

TEST_CASE("lower: without an absolute home there are no places under it") {
  host_facts facts = linux_host;
  for (const char* home : {"", "home/u"}) {
    facts.home = home;
    const loaded_policy p = with_presets(std::nullopt, facts);
    CHECK(at(p, "/usr") == verb::run);
    for (std::uint32_t i = 0; i < p.files().size(); ++i)
      CHECK(p.files().place(i).find(".ssh") == std::string_view::npos);
  }
}

TEST_CASE("lower: places of presets that are not there are left out where the host is asked") {
  host_facts facts = linux_host;
  facts.exists = [](std::string_view place) { return place == "/usr" || place == "/etc" || place == "/etc/ssh"; };
  const loaded_policy p = with_presets(std::nullopt, facts);
  CHECK(at(p, "/usr") == verb::run);
  CHECK(at(p, "/bin") == verb::hide);
  CHECK(at(p, "/home/u/.cargo") == verb::hide);
  CHECK(at(p, "/etc/ssh/x") == verb::hide);
  CHECK(at(p, "/etc/ssh/ssh_config") == verb::hide);
  CHECK(at(p, run_temp) == verb::write);
}

TEST_CASE("lower: what is open again inside a hidden place is what it would be without the hiding") {
  host_facts facts = linux_host;
  facts.exists = [](std::string_view place) { return place == "/etc" || place.substr(0, 8) == "/etc/ssh"; };
  document d;
  d.files.emplace({grant{"/etc", verb::read}, grant{"/etc/ssh/ssh_known_hosts", verb::write}});
  const loaded_policy p = lower_lexically(d, facts);
  CHECK(at(p, "/etc/ssh/ssh_host_key") == verb::hide);
  CHECK(at(p, "/etc/ssh/ssh_config") == verb::read);
  CHECK(at(p, "/etc/ssh/ssh_known_hosts") == verb::write);
  d.files.emplace({grant{"/", verb::write}});
  CHECK(at(lower_lexically(d, facts), "/etc/ssh/ssh_config") == verb::run);
}

TEST_CASE("lower: denied calls are all but allowed ones, named twice or not") {
  document d;
  d.denied_calls = {"ptrace", "bpf", "ptrace"};
  const loaded_policy p = lower_lexically(d, linux_host);
  CHECK(p.calls().value("ptrace") == 0);
  CHECK(p.calls().value("bpf") == 0);
  CHECK(p.calls().value("read") == 1);
}

TEST_CASE("lower: the table of environments") {
  for (const vectors::row& row : vectors::table("environment.tsv", 14)) {
    CAPTURE(row.line());
    const std::string text = "{\"cordon\": 1, \"environment\": {\"pass\": " + row.raw("pass") +
                             ", \"set\": " + row.raw("set") + ", \"remove\": " + row.raw("remove") + "}}";
    if (row.raw("child") == "\"error\"") {
      CHECK(ask::refusal(ask::bj::value(ask::bj::string(text)), linux_host).first == "bad_value");
      continue;
    }
    const loaded_policy p = ask::load(ask::bj::value(ask::bj::string(text)), linux_host);
    const auto parent = ask::bj::parse(row.raw("parent")).as_object(),
               child = ask::bj::parse(row.raw("child")).as_object();
    ask::bj::object made;
    for (const auto& v : parent) {
      const verdict has = has_variable(p, std::string_view(v.key().data(), v.key().size()));
      const bool set = variable::is_set(has.clause.value);
      if (has.allowed())
        made[v.key()] =
            set ? ask::bj::string(has.clause.payload.data(), has.clause.payload.size()) : v.value().as_string();
    }
    const auto environment = p.environment();
    for (std::uint32_t i = 0; i < environment.size(); ++i)
      if (const entry e = environment[i]; variable::is_set(e.value))
        made[ask::bj::string(e.place.data(), e.place.size())] = ask::bj::string(e.payload.data(), e.payload.size());
    CHECK(made == child);
  }
}

TEST_CASE("lower: on Windows a variable is one in any case, and what is taken away stays away") {
  document d;
  d.environment.emplace();
  d.environment->pass = std::vector<std::string>{"Path", "one_*"};
  d.environment->remove = {"ONE_secret"};
  d.environment->set = {{"Mine", "x"}};
  const auto on = [&](platform p) { return lower_lexically(d, {p, {}, {}, nullptr}); };
  const loaded_policy w = on(platform::windows), l = on(platform::linux_);
  CHECK(w.environment().value("PATH") == variable::passes);
  CHECK(w.environment().value("ONE_MORE") == variable::passes);
  CHECK(w.environment().value("ONE_SECRET") == variable::absent);
  CHECK(variable::is_set(w.environment().value("MINE")));
  CHECK(l.environment().value("PATH") == variable::absent);
  CHECK(l.environment().value("Path") == variable::passes);
}
