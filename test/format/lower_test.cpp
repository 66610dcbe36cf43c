// SPDX-License-Identifier: BSL-1.0
#include "ask.hpp"

#include <cordon/policy/credential_paths.hpp>
#include <cordon/policy/preset.hpp>
#include <cordon/policy/widen.hpp>

using namespace cordon;
using namespace cordon::format;

namespace {

const host_facts linux_host{platform::linux_, "/home/u", "/srv", nullptr};

/// The policy of a document that grants /srv and has these presets, on a host.
loaded_policy with_presets(std::optional<preset_set> presets, const host_facts& facts = linux_host,
                           any_or<std::string> capabilities = std::nullopt) {
  document d;
  d.files.emplace({grant{"/srv", verb::write}});
  d.presets = presets;
  d.capabilities = std::move(capabilities);
  return lower_lexically(d, facts);
}

rights at(const loaded_policy& p, std::string_view place) { return rights::from_bits(p.files().lookup(place)); }

} // namespace

TEST_CASE("lower: an axis that is left out is any or has its default") {
  const loaded_policy p = lower_lexically(document{}, linux_host);
  loaded_policy wanted = unconfined<loaded_policy>(widening::all_axes{});
  wanted.profile = profile::worktree;
  wanted.fallback = fallback::enforce;
  wanted.abilities = ability::spawn;
  CHECK(p == wanted);
}

TEST_CASE("lower: presets add nothing to files none or files any") {
  document d;
  d.files.emplace();
  d.workspace.emplace();
  CHECK(lower_lexically(d, linux_host).files().empty());
  CHECK(lower_lexically(d, linux_host).workspace().empty());
  d.files.reset();
  CHECK(lower_lexically(d, linux_host).is_any<axis_id::files>());
}

TEST_CASE("lower: without presets, a document gets the default ones") {
  const loaded_policy p = with_presets(std::nullopt);
  CHECK(at(p, "/usr/bin/cc") == verb::run);
  CHECK(at(p, "/home/u/.cargo/bin/cargo") == verb::run);
  CHECK(at(p, "/home/u/.cargo/registry/x") == verb::read);
  CHECK(at(p, "/home/u/.config/git/config") == verb::read);
  CHECK(at(p, run_temp) == verb::write);
  CHECK(at(p, "/home/u/.ssh/id") == verb::hide);
  CHECK(at(p, "/home/u/.config/gh/hosts.yml") == verb::hide);
  CHECK(at(p, "/etc/shadow") == verb::hide);
  CHECK(at(p, "/etc/hosts") == verb::run);
  CHECK(at(p, "/home/u/Documents") == verb::hide);
  CHECK(p.is_any<axis_id::workspace>());
  CHECK(at(with_presets(preset_set()), "/usr") == verb::hide);
}

TEST_CASE("lower: credentials override other presets, but client settings of ssh stay readable") {
  const loaded_policy p = with_presets(std::nullopt);
  CHECK(at(p, "/home/u/.netrc") == verb::hide);
  CHECK(at(p, "/etc/ssh/ssh_host_ed25519_key") == verb::hide);
  CHECK(at(p, "/etc/ssh/ssh_config") == verb::run);
  CHECK(at(p, "/etc/ssh/ssh_config.d/x.conf") == verb::run);
  CHECK(at(p, "/etc/ssh/ssh_known_hosts") == verb::run);
  // The document does not grant /etc, so nothing in it is opened again.
  CHECK(at(with_presets(preset::credentials), "/etc/ssh/ssh_config") == verb::hide);
}

TEST_CASE("lower: a grant of the document overrides a preset for the same path") {
  document d;
  d.files.emplace({grant{"/usr", verb::write}, grant{"/home/u/.ssh", verb::read}, grant{"/home/u", verb::write}});
  const loaded_policy p = lower_lexically(d, linux_host);
  CHECK(at(p, "/usr/x") == verb::write);
  CHECK(at(p, "/home/u/.ssh/id") == verb::read);
  CHECK(at(p, "/home/u/.cargo/bin/x") == verb::run);
  CHECK(at(p, "/home/u/.aws/x") == verb::hide);
  CHECK(at(p, "/home/u/x") == verb::write);
}

TEST_CASE("lower: temporary files are granted only with a writable workspace") {
  CHECK(at(with_presets(std::nullopt, linux_host, std::vector<std::string>{"workspace.list"}), run_temp) == verb::hide);
  CHECK(at(with_presets(std::nullopt, linux_host, std::vector<std::string>{"workspace.delete"}), run_temp) ==
        verb::write);
  CHECK(at(with_presets(std::nullopt, linux_host, std::vector<std::string>{"workspace.write_text"}), run_temp) ==
        verb::write);
}

TEST_CASE("lower: presets follow the platform") {
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
  const preset_set asked = preset_set(preset::developer_toolchains) | preset::package_manager_config;
  CHECK(at(with_presets(asked, facts), "/home/u/scoop/x") == verb::run);
  CHECK(at(with_presets(asked, facts), "/home/u/.npmrc") == verb::read);
}

TEST_CASE("lower: CapabilityPolicy documents alone grant directories with tokens as a whole") {
  const auto policy = [](home_presets under_home, std::optional<preset_set> presets) {
    document d;
    d.files.emplace({grant{"/srv", verb::write}});
    d.presets = presets;
    d.under_home = under_home;
    return lower_lexically(d, linux_host);
  };
  const loaded_policy parts = policy(home_presets::parts, std::nullopt),
                      whole = policy(home_presets::whole, std::nullopt);
  for (const char* of_a_tool : {".config/x/token", ".cache/x/token", ".cargo/token", ".local/share/x/token"}) {
    CAPTURE(of_a_tool);
    CHECK(at(parts, std::string("/home/u/") + of_a_tool) == verb::hide);
  }
  CHECK(at(whole, "/home/u/.config/x/token") == verb::read);
  CHECK(at(whole, "/home/u/.cache/x/token") == verb::read);
  CHECK(at(whole, "/home/u/.cargo/token") == verb::run);
  for (const char* of_a_tool : {".cargo/bin/x", ".local/bin/x", ".local/lib/x", ".local/share/uv/x"}) {
    CAPTURE(of_a_tool);
    CHECK(at(parts, std::string("/home/u/") + of_a_tool) == verb::run);
  }
  for (const char* read : {".cargo/config.toml", ".cargo/registry/x", ".config/git/config", ".config/pip/pip.conf"}) {
    CAPTURE(read);
    CHECK(at(parts, std::string("/home/u/") + read) == verb::read);
  }
  const preset_set asked = preset_set(preset::developer_toolchains) | preset::package_manager_config;
  for (const home_presets under_home : {home_presets::parts, home_presets::whole})
    for (const char* file : {".npmrc", ".netrc", ".cargo/credentials.toml"}) {
      CAPTURE(file);
      CHECK(at(policy(under_home, asked), std::string("/home/u/") + file) == verb::read);
      CHECK(at(policy(under_home, std::nullopt), std::string("/home/u/") + file) == verb::hide);
    }
}

TEST_CASE("lower: tokens in the home of the account are hidden, whatever the home is") {
  document d;
  d.files.emplace({grant{"/", verb::read}});
  for (const char* home : {"/home/u", "", "relative", "/tmp"}) {
    host_facts facts = linux_host;
    facts.home = home;
    facts.account_home = "/root";
    CAPTURE(home);
    const loaded_policy p = lower_lexically(d, facts);
    CHECK(at(p, "/root/.ssh/id_rsa") == verb::hide);
    CHECK(at(p, "/root/.aws") == verb::hide);
    CHECK(at(p, "/root/notes") == verb::read);
    d.presets.emplace();
    CHECK(at(lower_lexically(d, facts), "/root/.aws") == verb::read);
    d.presets.reset();
  }
}

TEST_CASE("lower: files that are closed to others are hidden where the whole of /etc is open") {
  host_facts facts = linux_host;
  facts.closed_below = [](std::string_view top) {
    const std::string in(top);
    return std::vector<std::string>{in + "/closed/key", in + "/vault"};
  };
  const auto lowered = [&](std::vector<grant> files) {
    document d;
    d.files.emplace(std::move(files));
    return lower_lexically(d, facts);
  };
  for (const char* around : {"/", "/etc"}) {
    const loaded_policy p = lowered({{around, verb::read}});
    CHECK(at(p, "/etc/closed/key") == verb::hide);
    CHECK(at(p, "/etc/vault/x") == verb::hide);
    CHECK(at(p, "/etc/closed/settings").has(right::read));
  }
  CHECK(at(lowered({{"/", verb::read}}), "/var/vault/x") == verb::hide);
  CHECK(at(lowered({{"/srv", verb::read}}), "/etc/vault/x") == verb::hide); // the preset opens /etc
  // By its name, or by that of a directory around it.
  CHECK(at(lowered({{"/etc/closed/key", verb::read}}), "/etc/closed/key") == verb::read);
  CHECK(at(lowered({{"/etc/closed", verb::read}}), "/etc/closed/key") == verb::read);
  CHECK(at(lowered({{"/var/vault", verb::read}}), "/var/vault/x") == verb::read);
}

TEST_CASE("lower: what a document hides in /proc is not dropped") {
  const auto files = [](std::vector<grant> all, platform on = platform::linux_) {
    document d;
    d.files.emplace(std::move(all));
    d.presets.emplace();
    host_facts facts = linux_host;
    facts.system = on;
    return lower_lexically(d, facts);
  };
  const grant some{"/srv", verb::read}, hidden{"/proc/cpuinfo", verb::hide};
  CHECK(at(files({some, hidden}), "/proc/meminfo") == verb::read);
  CHECK(at(files({some, hidden}), "/proc/cpuinfo") == verb::hide);
  CHECK(at(files({some}), "/proc/meminfo") == verb::hide);
  CHECK(at(files({some, {"/proc", verb::hide}}), "/proc/meminfo") == verb::hide);
  CHECK(at(files({some, hidden}, platform::macos), "/proc/meminfo") == verb::hide);
  const loaded_policy text =
      lower_lexically(read("x", "level process_exec\nread /srv\nhide /proc/cpuinfo\n", linux_host), linux_host);
  CHECK(at(text, "/proc/meminfo") == verb::read);
  CHECK(at(text, "/proc/cpuinfo") == verb::hide);
}

TEST_CASE("lower: every known path of tokens is hidden, also in a granted home") {
  for (const rights around : {verb::read, verb::write}) {
    document d;
    d.files.emplace({grant{"/home/u", around}});
    const loaded_policy p = lower_lexically(d, linux_host);
    std::size_t hidden = 0;
    for (const credential_path& row : home_credentials) {
      if (!is_used_on(row, platform::linux_)) continue;
      CAPTURE(row.path);
      CHECK(at(p, "/home/u/" + std::string(row.path)) == verb::hide);
      ++hidden;
    }
    CHECK(hidden >= 60);
    CHECK(at(p, "/home/u/Documents") == around);
    CHECK(at(p, "/home/u/Library/Keychains") == around);
    d.files->push_back({"/home/u/.aws", verb::read});
    CHECK(at(lower_lexically(d, linux_host), "/home/u/.aws/config") == verb::read);
    CHECK(at(lower_lexically(d, linux_host), "/home/u/.azure/x") == verb::hide);
    d.presets = preset::system_runtime;
    CHECK(at(lower_lexically(d, linux_host), "/home/u/.ssh/id") == around);
  }
}

TEST_CASE("lower: each directory under home is listed once, and missing names are not looked up") {
  static std::vector<std::string> looked_up, listed;
  looked_up.clear(), listed.clear();
  host_facts facts = linux_host;
  facts.exists = [](std::string_view place) {
    looked_up.emplace_back(place);
    return place == "/home/u/.config/gh" || place == "/home/u/.SSH" || place == "/home/u/.ssh";
  };
  facts.names_in = [](std::string_view directory) -> std::optional<std::vector<std::string>> {
    listed.emplace_back(directory);
    if (directory == "/home/u") return std::vector<std::string>{"work", ".SSH", ".config", ".aws", ".cache"};
    if (directory == "/home/u/.config") return std::vector<std::string>{"gh", "unknown"};
    return std::nullopt; // it has too many names
  };
  const loaded_policy p = lower_lexically(
      [] {
        document d;
        d.files.emplace({grant{"/home/u", verb::write}});
        d.presets = preset_set(preset::credentials) | preset::package_manager_config;
        return d;
      }(),
      facts);
  CHECK(at(p, "/home/u/.config/gh/hosts.yml") == verb::hide);
  CHECK(at(p, "/home/u/.ssh/id") == verb::hide); // the host ignores case
  CHECK(at(p, "/home/u/.aws/config") == verb::write);
  for (const char* directory : {"/home/u", "/home/u/.cache", "/home/u/.config"})
    CHECK(std::count(listed.begin(), listed.end(), directory) == 1);
  for (const char* missing :
       {"/home/u/.local", "/home/u/.cargo", "/home/u/.config/git", "/home/u/.config/git/credentials"})
    CHECK(std::count(listed.begin(), listed.end(), missing) == 0);
  const auto lies_under_home = [](const std::string& place) { return path::covers("/home/u", place); };
  const auto has = [&](const char* place) { return std::count(looked_up.begin(), looked_up.end(), place) == 1; };
  CHECK(has("/home/u/.ssh"));
  CHECK(has("/home/u/.aws"));
  CHECK(has("/home/u/.cache/rbw")); // no listing shows that it is missing
  CHECK(!has("/home/u/.config/op"));
  CHECK(!has("/home/u/.azure"));
  CHECK(std::count_if(looked_up.begin(), looked_up.end(), lies_under_home) < 16);
}

TEST_CASE("lower: a path that may exist is hidden, and only an existing one is granted") {
  host_facts facts = linux_host;
  facts.exists = [](std::string_view) { return false; };
  facts.may_exist = [](std::string_view place) { return path::covers("/home/u/.config", place); };
  document d;
  d.files.emplace({grant{"/home/u", verb::write}});
  d.presets = preset_set(preset::credentials) | preset::package_manager_config;
  const loaded_policy p = lower_lexically(d, facts);
  CHECK(at(p, "/home/u/.config/gh/hosts.yml") == verb::hide);
  CHECK(at(p, "/home/u/.config/git/config") == verb::write);
  CHECK(at(p, "/home/u/.aws/config") == verb::write);
}

TEST_CASE("lower: expanded presets give the same policy and the same names") {
  document d;
  d.files.emplace({grant{"/srv", verb::write}});
  const document all = expanded(d, linux_host);
  CHECK(all.presets->empty());
  CHECK(lower_lexically(all, linux_host) == lower_lexically(d, linux_host));
  CHECK(places_named_by(all, linux_host).files.size() == places_named_by(d, linux_host).files.size());
  d.files.emplace();
  CHECK(lower_lexically(expanded(d, linux_host), linux_host).files().empty());
  d.files.reset();
  CHECK(lower_lexically(expanded(d, linux_host), linux_host).is_any<axis_id::files>());
}

TEST_CASE("lower: without an absolute home, no path under it is granted") {
  host_facts facts = linux_host;
  for (const char* home : {"", "home/u"}) {
    facts.home = home;
    const loaded_policy p = with_presets(std::nullopt, facts);
    CHECK(at(p, "/usr") == verb::run);
    for (std::uint32_t i = 0; i < p.files().size(); ++i)
      CHECK(p.files().place(i).find(".ssh") == std::string_view::npos);
  }
}

TEST_CASE("lower: preset paths that do not exist on the host are left out") {
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

TEST_CASE("lower: a path that is reopened in a hidden directory has its rights as without hiding") {
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

TEST_CASE("lower: denied calls are refused and all others allowed, also if named twice") {
  document d;
  d.denied_calls = {"ptrace", "bpf", "ptrace"};
  const loaded_policy p = lower_lexically(d, linux_host);
  CHECK(p.calls().lookup("ptrace") == 0);
  CHECK(p.calls().lookup("bpf") == 0);
  CHECK(p.calls().lookup("read") == 1);
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

TEST_CASE("lower: on Windows variable names ignore case, and removed ones stay removed") {
  document d;
  d.environment.emplace();
  d.environment->pass = std::vector<std::string>{"Path", "one_*"};
  d.environment->remove = {"ONE_secret"};
  d.environment->set = {{"Mine", "x"}};
  const auto on = [&](platform p) { return lower_lexically(d, {p, {}, {}, nullptr}); };
  const loaded_policy w = on(platform::windows), l = on(platform::linux_);
  CHECK(w.environment().lookup("PATH") == variable::passes);
  CHECK(w.environment().lookup("ONE_MORE") == variable::passes);
  CHECK(w.environment().lookup("ONE_SECRET") == variable::absent);
  CHECK(variable::is_set(w.environment().lookup("MINE")));
  CHECK(l.environment().lookup("PATH") == variable::absent);
  CHECK(l.environment().lookup("Path") == variable::passes);
}
