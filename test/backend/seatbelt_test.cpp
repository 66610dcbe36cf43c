// SPDX-License-Identifier: BSL-1.0
#include "effort.hpp"
#include "golden.hpp"
#include "holds.hpp"
#include "seatbelt_text.hpp"

namespace backend_seatbelt_test {

using namespace cordon::dsl;
using namespace seatbelt_text;

TEST_CASE("seatbelt: rules and policy agree but for the gaps, for every target") {
  for (const target& t : {plain_paths, target{}, target{3128, false}, target{3128, true}}) {
    CAPTURE(t.private_links);
    CAPTURE(t.gateway_port);
    CHECK(proof::backend_fault<seatbelt::backend>(t, effort(3000)) == "");
  }
}

TEST_CASE("seatbelt: a nested path has a rule for what changes, and the last match decides") {
  constexpr small p = policy_of<small>(
      {can_write("/w"), can_read("/w/.git"), hidden("/w/key"), can_write("/w/.git/tmp"), can_run("/usr")});
  HOLDS(may(p, right::write, "/w/x") && may(p, right::create, "/w/x/y") && may(p, right::attributes, "/w"));
  HOLDS(may(p, right::read, "/w/.git/x") && !may(p, right::write, "/w/.git/x") && !may(p, right::remove, "/w/.git"));
  HOLDS(may(p, right::create, "/w/.git/tmp/x") && !may(p, right::read, "/w/key") && !may(p, right::read, "/w/key/x"));
  HOLDS(may(p, right::list, "/") && !may(p, right::read, "/") &&
        seatbelt::compile(p, plain_paths).gaps.any_unenforced());
  HOLDS(!may(p, right::list, "/us"));
  HOLDS(may(p, right::run, "/usr/bin/cc") && !may(p, right::write, "/usr/bin/cc") && !may(p, right::read, "/us"));
  const std::string t = text(p);
  const auto at = [&](const char* piece) {
    CAPTURE(piece);
    REQUIRE(has(t, piece));
    return t.find(piece);
  };
  CHECK(at("(allow file-read-data file-read-xattr file-read-metadata file-test-existence process-exec* "
           "file-map-executable file-write-data file-write-create file-write-unlink file-write-mode file-write-owner "
           "file-write-times file-write-flags file-write-xattr file-write-acl (subpath \"/w\"))\n") <
        at("(deny process-exec* file-map-executable file-write-data file-write-create file-write-unlink "
           "file-write-mode file-write-owner file-write-times file-write-flags file-write-xattr file-write-acl "
           "(subpath \"/w/.git\"))\n"));
}

TEST_CASE("seatbelt: the vnode type distinguishes reading files from listing directories") {
  constexpr small p = policy_of<small>({grant("/a", right::read), grant("/b", right::list), can_read("/c"),
                                        grant("/c/files", right::read), grant("/c/names", right::list)});
  HOLDS(may(p, right::read, "/a") && !may(p, right::list, "/a") && !may(p, right::read, "/b"));
  HOLDS(may(p, right::list, "/c/names/x") && !may(p, right::read, "/c/names/x") && !may(p, right::list, "/c/files"));
  const std::string t = text(p);
  CHECK(has(t, "(allow file-read-data (require-all (subpath \"/a\") (require-not (vnode-type DIRECTORY))))\n"));
  CHECK(has(t, "(allow file-read-data (require-all (subpath \"/b\") (vnode-type DIRECTORY)))\n"));
  CHECK(has(t, "(deny file-read-data (require-all (subpath \"/c/files\") (vnode-type DIRECTORY)))\n"));
  CHECK(has(t, "(deny file-read-data (require-all (subpath \"/c/names\") (require-not (vnode-type DIRECTORY))))\n"));
}

TEST_CASE("seatbelt: every allow rule has a filter, and no rule names a family of operations") {
  const auto check = [](const std::string& profile) {
    for (const std::string& line : vectors::split(profile, '\n')) {
      CAPTURE(line);
      if (line.rfind("(allow ", 0) == 0 && line != "(allow process-fork)") CHECK(has(line, " ("));
      for (const char* family :
           {"file*", "file-read*", "file-write*", "network*", "process*", "mach*", "(allow default"})
        CHECK(!has(line, family));
      CHECK((line.empty() || line.front() == '('));
    }
  };
  for (const samples::sample& s : samples::all)
    for (const target& t : {plain_paths, target{}, target{3128, true}}) check(text(s.policy, t));
  for (int seed = 0; seed < 100; ++seed) {
    dice d(static_cast<std::uint64_t>(seed));
    check(text(proof::random_policy(d)));
  }
  // If presets are left out, only the system's own paths are readable.
  CHECK(!has(text(policy_of<small>({can_write("/w")})), "\"/etc"));
  CHECK(has(text(policy_of<small>({grant("/", verb::everything)})), "file-write-acl (subpath \"/\"))\n"));
}

TEST_CASE("seatbelt: a directory above a path with fewer rights cannot be renamed") {
  constexpr small p = policy_of<small>({can_write("/w"), hidden("/w/a/b/key"), can_read("/w/a/c")});
  constexpr auto made = seatbelt::compile(p, plain_paths);
  HOLDS(!may(p, right::remove, "/w") && !may(p, right::remove, "/w/a") && !may(p, right::remove, "/w/a/b"));
  HOLDS(may(p, right::remove, "/w/x") && may(p, right::remove, "/w/a/x") && may(p, right::remove, "/w/a/b/x"));
  HOLDS(may(p, right::write, "/w/a/b"));
  HOLDS(made.gaps.has("seatbelt.ancestors", "/w/a/b") && !made.gaps.has("seatbelt.ancestors", "/w/a/b/x"));
  HOLDS(made.rules.fences.size() == 3);
  HOLDS(seatbelt::compile(policy_of<small>({can_write("/w"), can_read("/usr")}), plain_paths).rules.fences.size() == 0);
  CHECK(has(text(p), "(deny file-write-unlink (literal \"/w/a/b\"))\n"));
}

TEST_CASE("seatbelt: no path escapes its rule when a directory above it is renamed") {
  constexpr small two = policy_of<small>({can_write("/v"), hidden("/v/a/key"), can_write("/w"), hidden("/w/a/key")});
  HOLDS(seatbelt::compile(two, plain_paths).rules.fences.size() == 4);
  constexpr small inner = policy_of<small>({can_write("/v"), grant("/v/a", right::remove), can_read("/v/a/b")});
  HOLDS(!may(inner, right::remove, "/v/a") && !may(inner, right::remove, "/v") && may(inner, right::remove, "/v/a/x"));
  // A path that may itself be renamed needs no fence. With one, a wider policy could permit less.
  HOLDS(may(policy_of<small>({can_write("/v"), grant("/v/a/b", right::remove)}), right::remove, "/v/a"));
  int fenced = 0;
  for (int seed = 0; seed < 500; ++seed) {
    dice d(static_cast<std::uint64_t>(seed));
    const auto p = proof::random_policy(d);
    const auto made = seatbelt::compile(p, plain_paths);
    for (std::uint32_t i = 0; i < p.files().size(); ++i) {
      if (rights::from_bits(p.files()[i].value).has(right::remove)) continue;
      for (std::string_view dir = path::parent(p.files().place(i)); dir != "/"; dir = path::parent(dir)) {
        CAPTURE(seed);
        REQUIRE(!permits(made.rules, right::remove, dir));
        ++fenced;
      }
    }
  }
  CHECK(fenced > 100);
}

TEST_CASE("seatbelt: hosts are any, none, or behind the gateway") {
  constexpr small none = policy_of<small>({can_read("/a")});
  constexpr small listed = policy_of<small>({can_connect("example.com:443")});
  constexpr small all = [] {
    small p;
    p.level = level::network;
    static_cast<void>(p.write_any<axis_id::hosts>());
    return p;
  }();
  constexpr target gateway{3128, false};
  HOLDS(!may(none, process_feature::some_host, gateway) && !may(none, process_feature::loopback, gateway));
  HOLDS(!may(listed, process_feature::some_host) && seatbelt::compile(listed, plain_paths).gaps.has("seatbelt.hosts"));
  HOLDS(may(listed, process_feature::some_host, gateway) &&
        !seatbelt::compile(listed, gateway).gaps.has("seatbelt.hosts"));
  HOLDS(!may(listed, process_feature::any_host, gateway) && !may(listed, process_feature::loopback, gateway));
  HOLDS(may(all, process_feature::any_host) && may(all, process_feature::some_host) &&
        !may(all, process_feature::loopback));
  CHECK(has(text(listed, gateway), "(allow network-outbound (remote ip \"localhost:3128\"))\n"));
  CHECK(!has(text(listed, gateway), "*:*"));
  CHECK(!has(text(listed), "network-outbound"));
  CHECK(!has(text(listed), "trustd"));
  CHECK(has(text(listed, gateway), "com.apple.trustd"));
  CHECK(!has(text(listed, gateway), "mDNSResponder"));
  CHECK(has(text(all), "(allow network-outbound (remote ip \"*:*\"))\n"));
  CHECK(has(text(all), "(deny network-outbound (remote ip \"localhost:*\"))\n"));
  small below = all;
  below.level = level::process_exec;
  CHECK(!has(text(below), "network"));
}

TEST_CASE("seatbelt: sockets") {
  constexpr small ports = policy_of<small>({can_connect("a.com"), can_listen("8080"), can_listen("9000-9002")});
  HOLDS(may(ports, process_feature::listen) && !may(ports, process_feature::any_port) &&
        !may(ports, process_feature::loopback));
  const std::string t = text(ports);
  for (const char* port : {"8080", "9000", "9001", "9002"})
    CHECK(has(t, "(allow network-bind network-inbound (local ip \"*:" + std::string(port) + "\"))\n"));
  CHECK(!has(t, "9003"));
  CHECK(!has(t, "\"*:*\""));
  constexpr small loopback = policy_of<small>({can_connect("a.com"), can_use_loopback()});
  HOLDS(may(loopback, process_feature::loopback) && !may(loopback, process_feature::any_host) &&
        !may(loopback, process_feature::listen));
  CHECK(has(text(loopback), "(allow network-outbound (remote ip \"localhost:*\"))\n"));
  constexpr small any = [] {
    small p;
    p.level = level::network;
    static_cast<void>(p.write_any<axis_id::sockets>());
    return p;
  }();
  HOLDS(may(any, process_feature::any_port) && may(any, process_feature::listen) &&
        may(any, process_feature::loopback));
  CHECK(has(text(any), "(allow network-bind network-inbound (local ip \"*:*\"))\n"));
  constexpr small many = policy_of<small>({can_connect("a.com"), can_listen("1000-3000"), can_listen("5000")});
  HOLDS(may(many, process_feature::listen) && seatbelt::compile(many, plain_paths).gaps.has("seatbelt.listen"));
  CHECK((has(text(many), "\"*:2023\"") && !has(text(many), "\"*:2024\"") && !has(text(many), "\"*:5000\"")));
  constexpr small enough = policy_of<small>({can_connect("a.com"), can_listen("1000-2023")});
  HOLDS(!seatbelt::compile(enough, plain_paths).gaps.has("seatbelt.listen"));
  HOLDS(seatbelt::compile(policy_of<small>({can_connect("a.com"), can_listen("1000-2023"), can_listen("5000")}),
                          plain_paths)
            .gaps.has("seatbelt.listen"));
}

TEST_CASE("seatbelt: processes, and sockets by path") {
  constexpr small fork = policy_of<small>({can_run("/usr"), can_use(ability::spawn), grant("/run/s", right::connect)});
  HOLDS(may(fork, process_feature::spawn) && may(fork, right::connect, "/run/s") && !may(fork, right::connect, "/usr"));
  HOLDS(!may(policy_of<small>({can_run("/usr")}), process_feature::spawn));
  CHECK(has(text(fork), "(allow process-fork)\n"));
  CHECK(!has(text(policy_of<small>({can_run("/usr")})), "process-fork"));
  CHECK(has(text(fork), "(allow network-outbound (remote unix-socket (subpath \"/run/s\")))\n"));
  constexpr small hole = policy_of<small>({grant("/", verb::everything), grant("/run", verb::write)});
  CHECK(has(text(hole), "(deny network-outbound (remote unix-socket (subpath \"/run\")))\n"));
}

TEST_CASE("seatbelt: rules that do not fit are an error, and many compile quickly") {
  constexpr auto crowded = policy_of<basic_policy<fixed_storage<7, 40>>>({can_write("/a"), hidden("/a/b")});
  HOLDS(seatbelt::compile(crowded, plain_paths).error.code == diagnostic_code::policy_too_large);
  loaded_policy p;
  REQUIRE(p.write<axis_id::files>([](auto& to) {
             for (int i = 0; i < 100'000; ++i)
               to.add({"/srv/d" + std::to_string(i / 100) + "/f" + std::to_string(i % 100),
                       (i % 3 == 0 ? verb::read : verb::write).bits(),
                       {}});
           }).code == diagnostic_code::ok);
  const auto made = seatbelt::compile(p, {});
  CHECK(made.error.code == diagnostic_code::ok);
  CHECK(made.rules.places.size() == 100'000);
  CHECK(permits(made.rules, right::write, "/srv/d999/f97/x"));
}

TEST_CASE("seatbelt: profiles of sample policies") {
  for (const samples::sample& s : samples::all) {
    std::string all;
    for (const target& t : {target{}, target{3128, false}}) {
      const auto made = seatbelt::compile(s.policy, t);
      all += "; private_links " + std::to_string(t.private_links) + ", gateway " + std::to_string(t.gateway_port) +
             "\n" + proof::text_of(made.rules) + proof::gap_lines(made.gaps) + "\n";
    }
    CAPTURE(s.name);
    CHECK(golden::matches("seatbelt/" + std::string(s.name) + ".txt", all));
  }
}

} // namespace backend_seatbelt_test
